"""Names of identifiers, in lower case: words that name nothing else, and words that also mean something ordinary."""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

STRONG = listed(
    """
    mrn mrns crn urn uhid umrn pmrn emrn mpi empi hrn hn csn har hicn hic mbi npi npis upin dea nmls ein itin tin ssn
    vin vins imei imsi iccid udi gtin iban bic swift bsb cvv cvc cvv2 aba routing rrn prn pnr awb ean isbn esn meid
    mac puk passport passports licence licences license licenses lic dl badge plate plates badges serial serials sn
    lot lots batch accession accessions acc acct accts account accounts barcode requisition req specimen nhs chi hcn
    phn nhi ohip ramq msp hsn phin mhsc ihi dva medicare medicaid crhn abn tfn acn ahpra gmc nmc hcpc gdc gphc hpcsa
    mcr cpsbc cpso cpsa mciz imc cnic nic nid nida nrc bvn nin tckn tc qid iqama emirates hkid nric fin mykad ic
    aadhaar aadhar abha pan epic uan esic cghs echs pmjay bpl philhealth sss gsis umid prc ptr bpjs nik ktp cccd cmnd
    rrn jumin cpr cprnr personnummer personnr fnr hetu henkilötunnus kennitala isikukood pesel regon dowod cnp egn oib
    jmbg emso amka afm taj bsn insz niss rijksregister avs ahv svnr sozialversicherungsnummer versichertennummer
    versnr kvnr steuerid nir insee nss dowód dni nie nif cif cuil cuit rut run cpf cnpj cns rg curp rfc ine imss
    issste cedula cédula pps ppsn nino nino gp-no eircode-no sassa persal hpid nupn tsc kra nhif nssf shif ghana-card
    nhis voter certificate permit registration regd reg rego tag docket warrant invoice invoices inv receipt voucher
    waybill tracking consignment parcel shipment reservation locator confirmation pcr epcr cad datix riddor petition
    username userid login logon uid guid uuid subscriber beneficiary payroll collar shield inmate prisoner booking
    nomis doc alien uscis sevis ending constable officer pc wpc pcso const trooper tpr det sgt tail callsign flight
    pnr eticket e-ticket wristband armband bracelet band dosimeter interpreter udid asset sim meter mrnr patientnr
    pat-nr fallnr fallnummer aktenzeichen az vsnr dossier matricule permis expediente historia nhc sip tis fascicolo
    tessera prontuário prontuario registro matrícula matricula utente sns processo journalnr journalnummer
    potilasnumero unos ser crm coren crefito kmpdc pin ubrn sin uci rvt rph mdcn bib custody folio polis evidence
    fir nct isrctn subjid usubjid pid

    """
)
"""What follows them is an identifier, even if it is short."""

WEAK = listed(
    """
    mr med medical record records rec chart encounter encounters visit patient patients pt member membership policy
    plan group grp insurance insured ins claim claims auth authorization authorisation preauth referral approval visa
    vehicle veh car truck van motorcycle suv bus ambulance lorry taxi cab model device implant pacemaker generator
    lead leads icd crt defibrillator pump pdm sensor transmitter receiver monitor concentrator ventilator cpap bipap
    machine analyzer analyser scanner probe scope cart bed lens stent graft valve mesh screw port portacath catheter
    picc hearing aid processor prosthesis wheelchair hoist pendant alarm tablet laptop phone router modem case cases
    sample samples slide slides block blocks path pathology surgical tube tubes pot pots vial vials bottle bag unit
    units donation donor cassette swab cord order orders rx prescription script scripts employee staff student user
    transaction payment refund transfer reference ref refs references ticket tickets credit debit card cards bank
    branch sort giro study subject subjects subj participant volunteer proband randomisation randomization screening
    trial cohort survey site hospital hosp clinic worker tax military army navy service force id ids identification
    identifier identity token pin code codes key kit slip form sheet envelope valuables exhibit property airway board
    book booklet file files folder folio incident inc event practice provider prescriber report exam scheme machine
    msg message no nos nr num number numbers note list registry register registered certificate cert complaint matter
    court mandate contract loan mortgage meter permit locker box safe seat gate shelf drawer fridge freezer crate gift
    coupon promo loyalty miles rewards frequent subscription sub order po rma return tracking help desk helpdesk state
    national civil resident residency social senior veteran veterans va old-age pension pensioner ration refugee
    asylum unhcr unrwa case-id household family dependant dependent school roll ward bay theatre job shift rota run
    trip dispatch call unit rig engine medic crew police reg medal union local lodge scheme fund healthfund health
    cover bupa hmo ppo amex mastercard discover maestro paypal venmo iban wallet merge under duplicate sticker
    stickers label labels barcode scan image img photo series recording clip tape disc disk film dicom pacs ris ge
    accession thread workstation jar straw log tech technician guard consent pyxis omnicell console walker frame
    check cheque docket cooler safe keysafe parking responder operator clerk luggage parcel container pallet

    """
)
"""What follows them is an identifier if it is long, if it has letters, or if "no." or "#" stands between."""

PLAIN = listed("no nos nr num number numbers ref refs reference code codes id ids")
"""They say that a number follows, and not of what."""

MODELS = listed(
    """
    mk bms ly pf gsk azd tak abt abbv ro rg ono amg jnj sar iso iec astm din ansi ich pmid doi pmc omim orpha bnt mrna
    """
)
"""What codes of drugs and standards begin with, however long they are."""

CLINICAL = MODELS | listed(
    """
    en icd dsm cpt hcpcs loinc snomed rxnorm ndc atc drg apc hcc mesh umls nice sign covid sars cov hla cyp brca il
    tnf cd ca ck hpv hiv htlv hhv ebv cmv rsv h c t l s sf eq phq gad ctcae type model size grade stage class level
    version ver ham bdi bai mmpi panss madrs ymrs hads csdd img dsc fig mdr fda ce eu gif cf

    """
)
"""What short codes of tests, genes, scales and devices begin with."""

AIRLINES = frozenset(
    code.upper()
    for code in listed("""
    AA AC AF AI AK AM AR AS AT AV AY AZ B6 BA BG BI BR BW CA CI CM CX CZ DL DY D8 EI EK EN ET EW EY F9 FI FR FZ G3 GA GF
    G4 HA HU HV IB IT JL JQ JU KE KL KM KQ KU LA LH LM LO LS LX LY MF MH ME MK MS MU NH NK NZ OA OK OS OU OZ PC PG PK
    PR PS QF QR RJ RO RY SA SK SN SQ SU SV TG TK TO TP TR TS TU U2 UA UK UL UX VA VN VS VT VY W6 WF WN WS WY W9 3K 5J
    6E 7C 9C 9W
    """)
)
"""Codes of airlines: with a number behind and words about flying near, the number of a flight."""
