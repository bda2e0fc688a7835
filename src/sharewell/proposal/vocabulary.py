"""The words that column names are made of, in English, German, French, Spanish and Dutch. Add yours here.

Phrases are written as separate words without accents, parted by commas; `birth date` also fits `birthDate`,
`BIRTHDATE` and `patient_birth_date`. A phrase under `anywhere` may stand among other words; one under `whole` must be
the whole name, because it means something else beside other words (`name`, but not `drug_name`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sharewell.roles import Role

Topic = Literal["", "birth", "death", "age", "sex", "postal", "free text", "diagnosis"]


@dataclass(frozen=True)
class Words:
    anywhere: str = ""
    whole: str = ""


@dataclass(frozen=True)
class Meaning:
    """What a name means, and the role that follows."""

    what: str
    role: Role
    words: Words
    topic: Topic = ""


def _drop(meaning: str, anywhere: str, exactly: str = "") -> Meaning:
    return Meaning(meaning, Role.DROP, Words(anywhere, exactly))


def _quasi(meaning: str, anywhere: str, exactly: str = "", topic: Topic = "") -> Meaning:
    return Meaning(meaning, Role.QUASI, Words(anywhere, exactly), topic)


def _sensitive(meaning: str, anywhere: str, exactly: str = "", topic: Topic = "") -> Meaning:
    return Meaning(meaning, Role.SENSITIVE, Words(anywhere, exactly), topic)


PERSON_KEYS = Words(
    "patient id,patient key,patient no,patient nr,patient num,patient number,patient code,patient identifier,"
    "patient uid,patient pseudonym,patient sk,pat id,pt id,subject id,subject key,subject no,subject number,"
    "subject code,subject identifier,subj id,usubjid,person id,person key,person number,person identifier,person sk,"
    "participant id,participant number,participant code,member id,client id,enrollee id,individual id,bene id,"
    "beneficiary id,desynpuf id,enrolid,study subject,id patient,id subject,id person,patienten id,patienten nummer,"
    "patienten nr,probanden id,proband id,personen id,numero patient,num patient,no patient,identifiant patient,"
    "id paciente,paciente id,numero paciente,codigo paciente,id persona,patient nummer,persoon id,persoons id,"
    "deelnemer id",
    "patient,subject,person,participant,pid,paciente,sujeto,persona,persoon,deelnemer,proband,sujet,pseudonym,"
    "person pseudonym",
)
PERSON_NUMBERS = Words(
    "mrn,medical record number,medical record no,medical record,health record number,chart number,chart no,"
    "hospital number,hospital no,ssn,social security,nhs number,nhs no,chi number,health card,health number,phn,"
    "versichertennummer,krankenversichertennummer,versicherten nr,kvnr,sozialversicherungsnummer,svnr,numero dossier,"
    "ipp,numero securite sociale,numero de securite sociale,nir,historia clinica,nhc,nuhsa,bsn,burgerservicenummer,"
    "burger service nummer,patientendossiernummer,mbi,hicn,hicno,personnummer",
)
LIST_KEYS = Words(
    "voter id,voter key,voter no,voter number,voter registration,elector id,elector number,resident id,citizen id,"
    "employee id,student id,customer id,insured id,holder id,donor id,household member,eid,uuid,guid",
    "voter,elector,resident,citizen,individual,member,client,employee,student,donor,insured,key,uid,identifier,hash,"
    "name,full name,patient name,person name,email,e mail",
)
"""By what a list of people may tell them apart, if nothing better is there and the values repeat."""
TECHNICAL_KEYS = Words(
    "id,ids,identifier,uuid,guid,uid,key,hash,accession,barcode,row number,row num,record no,record number,"
    "case number,fallnummer,fall nr,aufnahmenummer,kennung,schlussel,identifiant,cle,identificador,clave,kenmerk,"
    "sleutel",
    "index,row,nr,no,number,rownames,unnamed",
)

RULES: tuple[Meaning, ...] = (
    _quasi(
        "a date or year of birth",
        "dob,yob,birth date,date of birth,birth day,birth year,year of birth,birth month,month of birth,born,"
        "birth datetime,date birth,birth dt,geburtsdatum,geburtstag,geburtsjahr,gebdat,geb datum,geb dat,"
        "date naissance,date de naissance,annee naissance,annee de naissance,ddn,fecha nacimiento,fecha de nacimiento,"
        "nacimiento,ano nacimiento,geboortedatum,geboortejaar,geboorte datum",
        topic="birth",
    ),
    _quasi(
        "a date of death",
        "death date,date of death,dod,deceased date,death datetime,death dt,sterbedatum,todesdatum,date deces,"
        "date de deces,fecha defuncion,fecha de defuncion,fecha muerte,overlijdensdatum,sterfdatum",
        topic="death",
    ),
    _drop("an e-mail address", "email,e mail,mail,emails,courriel,correo electronico,correo,mailadresse,mail adresse"),
    _drop(
        "a telephone or fax number",
        "phone,telephone,tel,cell phone,phone number,fax,pager,telefon,telefonnummer,handynummer,mobilnummer,telefax,"
        "telefono,telefoon,telefoonnummer,mobile number,mobile no,numero portable,gsm nummer",
        "mobile,cell,handy,movil,portable,mobiel,gsm,contact number",
    ),
    _drop(
        "a web or network address",
        "url,urls,website,web page,homepage,ip address,ipaddr,ip addr,ipv4,ipv6,mac address",
        "ip,link",
    ),
    _drop(
        "a street address",
        "address,addresses,addr,street,strasse,str nr,hausnummer,house number,house no,adresse,anschrift,calle,"
        "direccion,domicilio,domicile,straat,adres,huisnummer,po box,postfach,apartment number,rue",
        "apartment,apt",
    ),
    _drop(
        "a point on the map",
        "latitude,longitude,lat,lon,lng,gps,coordinates,geocode,breitengrad,langengrad,latitud,longitud",
    ),
    _drop(
        "a number by which the state, an insurer or a hospital knows the person",
        PERSON_NUMBERS.anywhere
        + ",passport,passport no,passeport,pasaporte,paspoort,reisepass,passnummer,ausweis,ausweisnummer,"
        "personalausweis,national id,national identifier,national insurance,nino,dni,nie,cpf,curp,tax id,tin,"
        "steuer id,steuernummer,insurance number,insurance no,insurance id,policy number,health plan id,"
        "health plan number,medicare number,medicare id,medicaid id,medicaid number,carte vitale,tarjeta sanitaria",
    ),
    _drop(
        "the name of a person",
        "given,family,first name,last name,full name,given name,family name,middle name,maiden name,birth name,"
        "second name,surname,surnames,forename,fname,lname,patient name,person name,subject name,participant name,"
        "client name,member name,mother name,mothers name,father name,fathers name,spouse name,guardian name,"
        "contact name,relative name,next of kin,doctor name,physician name,provider name,nurse name,surgeon name,"
        "user name,login,initials,alias,nickname,vorname,nachname,familienname,geburtsname,zuname,rufname,"
        "patientenname,name patient,name der mutter,prenom,prenoms,nom de famille,nom patient,nom du patient,"
        "nom usuel,nom de naissance,nom naissance,nombre paciente,nombre del paciente,nombre completo,apellido,"
        "apellidos,voornaam,voornamen,achternaam,familienaam,geboortenaam,meisjesnaam,tussenvoegsel,roepnaam,"
        "naam patient",
        "name,names,nom,noms,nombre,nombres,naam,namen,first,last,middle,maiden,signature,emergency contact",
    ),
    _drop(
        "a member of staff, who can lead to the patient",
        "doctor id,physician id,provider id,practitioner id,nurse id,surgeon id,clinician id,caregiver id,staff id,"
        "employee id,npi,dea number,lanr,arztnummer,rpps,agb code,attending physician,referring physician,"
        "referring doctor",
        "doctor,physician,provider,practitioner,nurse,surgeon,clinician,attending,arzt,hausarzt,medecin,medico,arts,"
        "huisarts,gp,dr",
    ),
    _drop(
        "an account",
        "account,accounts,acct,iban,bank account,credit card,card number,card no,konto,kontonummer,compte,cuenta,"
        "rekening,rekeningnummer,bankverbindung",
    ),
    _drop(
        "a licence or certificate",
        "license,licence,licencia,licenses,drivers,driver id,fuhrerschein,fuehrerschein,permis de conduire,"
        "permis conduire,rijbewijs,certificate number,certificate no",
    ),
    _drop(
        "a vehicle",
        "vin,vehicle id,license plate,plate number,number plate,kennzeichen,matricula,immatriculation,kenteken",
    ),
    _drop(
        "a device",
        "device id,device serial,device identifier,device number,serial number,serial no,serial,udi,imei,imsi,"
        "seriennummer,numero de serie,numero serie,serienummer,geratenummer,implant id,pacemaker id",
    ),
    _drop(
        "a picture or a body feature that identifies",
        "photo,photos,photograph,image,images,picture,foto,fotos,portrait,fingerprint,biometric,biometrics,"
        "retina scan,voiceprint,voice recording,lichtbild",
    ),
    Meaning(
        "free text",
        Role.DROP,
        Words(
            "note text,free text,freetext,freitext,texte libre,texto libre,vrije tekst,comment,comments,remark,"
            "remarks,narrative,clinical notes,bemerkung,bemerkungen,kommentar,anmerkung,commentaire,commentaires,"
            "remarque,remarques,observaciones,comentario,comentarios,opmerking,opmerkingen,arztbrief,anamnese,"
            "letter text,report text,discharge summary,befundtext",
            "note,notes,text,body,report,letter,summary,history",
        ),
        "free text",
    ),
    _quasi("age", "age,ages,age group,age band,alter,altersgruppe,edad,leeftijd", topic="age"),
    _quasi("sex or gender", "sex,gender,geschlecht,sexe,sexo,genero,geslacht", "genre", topic="sex"),
    _quasi(
        "a postal code",
        "zip,zip code,zip5,zip3,postcode,post code,postal,postal code,postalcode,plz,postleitzahl,code postal,"
        "codigo postal,cod postal,eircode,pin code",
        "cp",
        topic="postal",
    ),
    _quasi(
        "a place",
        "city,town,village,suburb,neighborhood,neighbourhood,municipality,birthplace,birth place,place of birth,"
        "hometown,residence,stadt,wohnort,geburtsort,ort,gemeinde,ville,commune,lieu de naissance,ciudad,municipio,"
        "localidad,gemeente,woonplaats,geboorteplaats,stad,plaats",
        "place,location",
    ),
    _quasi(
        "a region",
        "county,district,province,provincia,provincie,landkreis,kreis,bundesland,departement,departamento,region,"
        "canton,kanton,borough,fips,census tract,tract,block group,lsoa,msoa,state code,home state,us state,"
        "patient state,state of residence,provnum,rural,urban",
        "state,estado,area,regio",
    ),
    _quasi(
        "a country or nationality",
        "country,countries,nation,nationality,citizenship,immigrant,migration,pays,pais,staatsangehorigkeit,"
        "geburtsland,herkunft,nationalite,nacionalidad,nationaliteit,herkomst,native country",
        "land,native,origin",
    ),
    _quasi(
        "race or ethnicity",
        "race,ethnicity,ethnic,ethnie,ethnic group,raza,etnia,etniciteit,ethnizitat,tribe,skin color,skin colour",
    ),
    _quasi(
        "marital status",
        "marital,marital status,civil status,married,familienstand,etat civil,situation familiale,estado civil,"
        "burgerlijke staat,spouse,divorced,widowed,relationship",
    ),
    _quasi(
        "education",
        "education,educ,education num,schooling,bildung,schulabschluss,bildungsgrad,niveau etudes,niveau d etudes,"
        "educacion,estudios,opleiding,school",
        "degree,etudes",
    ),
    _quasi(
        "occupation",
        "occupation,job,job title,profession,employer,employment,workclass,work class,beruf,arbeitgeber,metier,"
        "profesion,ocupacion,empleo,beroep,werkgever",
        "work",
    ),
    _quasi("language", "language,languages,mother tongue,sprache,muttersprache,langue,idioma,lengua,taal,moedertaal"),
    _quasi("religion", "religion,konfession,faith,religioso,geloof,religie,denomination"),
    _quasi("a title", "honorific,salutation,anrede", "title,prefix,suffix,titel"),
    _quasi(
        "the household",
        "household,children,kids,siblings,dependents,kinder,enfants,hijos,kinderen,family size,haushalt",
    ),
    _quasi(
        "the body's measures, which others can see",
        "height,weight,bmi,body height,body weight,hair color,eye color,groesse,korpergrosse,gewicht,taille,poids,"
        "peso,estatura,altura,lengte",
    ),
    _quasi("military service", "veteran,military,military service"),
    _quasi(
        "the insurance",
        "insurance,insurer,payer,payor,krankenkasse,versicherung,assurance,mutuelle,aseguradora,verzekeraar",
    ),
    _quasi(
        "the place of care",
        "hospital,facility,clinic,ward,department,care site,site id,krankenhaus,klinik,station,abteilung,hopital,"
        "clinique,etablissement,ziekenhuis,afdeling,organization,organisation,centre,center",
        "site,unit,service",
    ),
    _sensitive(
        "a cause of death or an outcome",
        "cause of death,death cause,todesursache,cause deces,causa muerte,doodsoorzaak,outcome,outcomes,mortality,"
        "survival,readmitted,readmission",
    ),
    _sensitive("a death", "died,deceased,verstorben", "death,dead,tod,deces", topic="death"),
    _sensitive(
        "a diagnosis",
        "diagnosis,diagnoses,diagnose,diagnosen,hauptdiagnose,nebendiagnose,hoofddiagnose,dx,diag,disease,diseases,"
        "disorder,condition,conditions,illness,comorbidity,comorbidities,icd,icd9,icd10,icd code,snomed,problem,"
        "krankheit,erkrankung,befund,diagnostic,maladie,diagnostico,diagnosticos,enfermedad,ziekte,aandoening,cie10,"
        "cim10",
        "code,codes",
        topic="diagnosis",
    ),
    _sensitive(
        "a drug",
        "drug,drugs,medication,medications,medicine,medicines,prescription,rx,rxnorm,ndc,atc,dose,dosage,substance,"
        "ingredient,vaccine,medikament,medikamente,arznei,arzneimittel,wirkstoff,dosis,pzn,medicament,medicaments,"
        "ordonnance,medicamento,medicamentos,farmaco,medicijn,medicatie,geneesmiddel",
    ),
    _sensitive(
        "a treatment",
        "treatment,therapy,procedure,procedures,surgery,operation,cpt,hcpcs,drg,intervention,behandlung,therapie,"
        "prozedur,traitement,acte,ccam,tratamiento,procedimiento,behandeling,ingreep",
    ),
    _sensitive(
        "a test or its result",
        "result,results,test,tests,lab,labs,loinc,assay,finding,findings,biopsy,ergebnis,laborwert,resultat,resultats,"
        "resultado,prueba,analitica,uitslag,bepaling,hba1c,glucose,cholesterol,viral load,cd4,blood pressure",
    ),
    _sensitive(
        "a condition that people hide",
        "hiv,aids,hepatitis,std,sti,syphilis,pregnant,pregnancy,abortion,psychiatric,mental,depression,suicide,"
        "addiction,alcohol,smoking,smoker,tobacco,cancer,tumor,tumour,stage,diabetes,allergy,allergies,symptom,"
        "symptoms,complaint,disability,violence,abuse,sexual orientation,schwanger,behinderung,cancer stage,raucher",
    ),
    _sensitive(
        "genetic information", "genotype,genotypes,mutation,gene,genes,variant,snp,allele,brca,brca1,brca2,karyotype"
    ),
    _sensitive(
        "income or wealth",
        "income,salary,wage,wages,earnings,debt,wealth,expenses,einkommen,gehalt,lohn,revenu,revenus,salaire,ingresos,"
        "salario,renta,inkomen,salaris",
    ),
)
