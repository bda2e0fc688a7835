"""Acronyms and shorthand of the clinic: what stands in capitals and is neither a name nor somebody's initials."""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

ACRONYMS = listed(
    """
    ct mr us xr nm
    aaa abg abx acei acl acls acs adhd adl adls aed aep afb afib afp aicd aids aka aki alf alp als alt ama ami amt ana
    anca aom apap apr aptt arb ards arf arni asa ascus asd asis ast atn avf avm avr bbb bcc bid bipap bka bls bmi bmp
    bmt bnp bph bpm bps bun cabg cad cap cbc cbt ccb ccu cdiff cea chf chl cic ckd cll cmp cmv cnm cns copd cpap cpk cpr
    crf crp crrt csf ctab cta ctr cva cvad cvat cvc cvp cxr dapt dbp dcis ddx dexa dip djd dka dlbcl dmard dnr dni doac
    doe dpl dre dsm dvt ebl ebv ecg echo ecmo eeg egd egfr eia ekg emg ems emtala ent eom eomi epo ercp esbl esi esld
    esr esrd etoh etco2 ett evd evar fast fbs fena ferpa ffp fess fev1 ffr fhr fna fob fsbs ftt fuo fvc gad gbs gcs gdm
    gerd gfr ggt gib gist gtt gu gvhd hcc hcg hcv hbv hct hdl hdu hfnc hfpef hfref hgb hhs hida hit hiv hla hld hlh hob
    hpi hpv hrt hsv htn hus iabp ibd ibs icd icp icu iddm ild imrt inr ipf ird itp iud iugr iup iv ivc ivf ivig ivp jvd
    jvp kub lad lbbb lbp lcx ldh ldl leep lfts lima lle llq lmp lmwh los lpn lue luq lvad lvef lvh lvot map mca mcl mcv
    mds meld mets mgus mi mmr moca mra mrcp mri mrsa ms mssa mtp mva mvc mvp mvr nafld nash ncs ngt nicu niddm nihss niv
    nkda nmj npo nsaid nsaids nsclc nsr nstemi nsvd nvd nyha ocd ocp oer oob orif osa osh otc pacu pad pap pci pcn pcos
    pcp pcr pcv pda pdx pe peep peg perrl perrla pet pft pfts phq picc picu pid pip plt pmh pmr pna pnd pod pop posttx
    ppd ppi ppm prbc prn prom psa psh psvt ptca pth ptsd ptt ptx pud pvc pvd pvr qhs qid raas rbbb rbc rca rcc rds rfa
    rhd rle rlq rml ros rrt rsv rta rue ruq rvh rvr sah sbo sbp sbrt sclc sdh ses siadh sids sirs sle smbg snf sob spep
    spect ssri ssris stat std stemi sti svc svt swan tah tavr tbi tee tefr tens tfts tha tia tias tips tka tlc tlif tmj
    tnf tpa tpn trh tsh tte ttp turp tvr ua uds ufh ugi upep uri usg uti utis uvb vac vap vas vats vbac vbg vre vsd vt
    vte vzv wbc wnl xrt zes ed er or ir rt pt ot slp rd cm sw ob gyn gi uro ns hr bp rr ht wt dob dod doa sob nok poa
    hcp adv dispo appt amb eta etd tbd tba asap fyi info attn inpatient outpatient emergent urgent latex nkfa nka aaox3
    aox3 iddsi cvicu sicu micu nsicu tele obs los soc sec reg ins auth ext fx tx rx hx sx dx cx bx px mx sn vin npi
    mdm phn uhid csn gmc nnp dpoa cwocn lsw eol dsn igg igm iga g6pd bcx dka afib hsc dod avs mcps pers rm res addr zip
    mbr hicn lmp edd edc sga lga nbm bd tds qds od os ou va iop oct cmt npdr pdr vh gxp txp obgyn peds neuro psych ortho
    """
)
"""Acronyms and shorthand of the clinic, which a note writes in capitals."""
