"""Capitalised words that name no person: food, cars, shops' goods, germs, peoples, shorthand.

No dictionary of English has them, so that their letters alone would make names of them. The lists are general
knowledge; what is a frequent name of people as well is left out.
"""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

GOODS = listed(
    """
    gatorade powerade lucozade pedialyte dioralyte vimto ribena horlicks ovaltine complan nescafe nutella marmite
    vegemite bovril weetabix weetbix shreddies cheerios oreo oreos doritos pringles cheetos snickers twix skittles pepsi
    sprite fanta coke heineken budweiser stella corona bacardi smirnoff baileys jagermeister underberg gin
    marlboro marlboros newports rizla juul vape snus lurpak flora benecol actimel yakult activia splenda stevia
    similac enfamil aptamil nutramigen neocate alimentum nutrilon milupa hipp isomil pediasure ensure boost glucerna
    jevity osmolite nutren peptamen vital isosource fortisip fortijuce fortisips calogen nutrison nepro twocal fresubin
    ensurecompact thickenup resource
    volkswagen vw toyota prius corolla camry civic accord saab fiat opel seat tesla ford chevrolet silverado jeep
    chrysler pontiac hyundai mitsubishi yamaha kawasaki ducati vespa peugeot citroen lexus
    porsche jaguar polaris kubota massey ferguson winnebago airstream segway lime bird dremel dewalt makita stihl
    husqvarna bobcat velux ikea tupperware crockpot ziploc kleenex bandaid elastoplast savlon dettol
    germolene sudocrem bepanthen aveeno cetraphil cetaphil eucerin diprobase dermol epaderm doublebase hydromol zerobase
    vaseline aquaphor nivea listerine colgate sensodyne corsodyl polident steradent poligrip fixodent hibiclens
    chloraprep betadine hibiscrub octenisan actichlor chlorclean clorox lysol domestos tyvek
    kindle ipad ipod macbook siri cortana gmail outlook yahoo hotmail linkedin pinterest reddit youtube spotify
    xbox playstation nintendo wii minecraft fortnite roblox pokemon disney netball lasik hbo espn
    gunsmoke jeopardy bingo scrabble sudoku monopoly jenga connect nerf barbie
    bosu theraband theraputty airex nustep jobst sigvaris juzo comprilan actico actiform zetuvit kliniderm
    urgotul aquacel mepore tubigrip tubifast sorbaderm cavilon medihoney flaminal prontosan octenilin iodosorb
    microlax norgalax peristeen conveen uridome flocare nutricia bbraun smiths
    glidescope mcgrath airtraq aerochamber volumatic ablespacer optichamber nebuhaler respimat turbohaler accuhaler
    sonicaid dinamap propaq masimo nellcor datascope alaris hospira plum graseby mckinley cadd
    thymatron mecta somatics spectrum aera avanto skyra magnetom prisma aquilion optima lightspeed revolution
    cavit dycal fuji gic vitrebond sensodyne invisalign hyrax twinblock essix
    trak datix emis vision lorenzo careflow cerner badgernet telecare careline lifeline tunstall
    vizient leapfrog vitalpac kardex caremark optavia noom herbalife slimfast
    """
) - listed("bird ford seat boost vital plum optima corona stella flora vision ferguson smiths mckinley jaguar")
"""Food, drink, cars, tools, games, and goods of the clinic."""
GERMS = listed(
    """
    brucella coxiella bartonella borrelia candida aspergillus bordetella burkholderia campylobacter chlamydia
    citrobacter clostridium clostridioides corynebacterium cryptococcus cryptosporidium cutibacterium enterobacter
    enterococcus escherichia fusobacterium gardnerella giardia haemophilus helicobacter histoplasma kingella klebsiella
    lactobacillus legionella leptospira listeria malassezia microsporum moraxella morganella mycobacterium mycoplasma
    neisseria nocardia pasteurella peptostreptococcus plasmodium pneumocystis prevotella propionibacterium proteus
    providencia pseudomonas ralstonia rickettsia rothia salmonella schistosoma serratia shigella sporothrix
    staphylococcus stenotrophomonas streptococcus strep staph strongyloides taenia toxocara toxoplasma treponema
    trichomonas trichophyton trypanosoma ureaplasma vibrio wolbachia yersinia acinetobacter actinomyces aeromonas
    babesia bacillus bacteroides balamuthia blastomyces capnocytophaga coccidioides ehrlichia anaplasma eikenella
    ebola lassa zika marburg chikungunya dengue hantavirus norovirus rotavirus adenovirus coxsackie echovirus
    enterovirus parvovirus mpox nipah hendra covid omicron wuhan bornholm crotalidae crotalus bothrops
    """
)
"""Germs, and places that only name a germ."""
PEOPLES = listed(
    """
    sikh sikhs hindu hindus muslim muslims jains parsi baha lutheran lutherans calvinist anglican anglicans
    episcopalian presbyterian pentecostal adventist mormon mormons mennonite mennonites amish hutterite quaker quakers
    jehovah witnesses orthodox coptic maronite druze yazidi sunni shia ismaili ahmadi rastafarian pagan wiccan
    cypriot cypriots scots welsh cornish manx breton flemish walloon basque catalan corsican sicilian bosniak croat
    serb slovak slovene czech magyar roma finn finns dane danes swede swedes briton britons aussie kiwi kiwis
    yank latinx chicano chicana hispanic creole cajun metis inuit inuk yupik ojibwe ojibwa anishinaabe cree dene mohawk
    mikmaq haida tlingit salish apache hopi zuni ute shoshone paiute sioux lakota dakota cheyenne arapaho
    kikuyu luo luhya kamba kalenjin maasai masai meru swahili acholi baganda luganda lusoga runyankole setswana sesotho
    sepedi tsonga venda ndebele shona chewa nyanja bemba tonga lozi ovambo herero nama oshiwambo kinyarwanda kirundi
    tigrinya amharic oromo afaan sidamo hausa fulani igbo yoruba efik ibibio tiv edo ijaw twi fante ewe dagbani mandinka
    wolof serer bambara soninke malinke berber tamazight kabyle darija
    bajau kadazan dusun iban melanau murut orang dayak javanese sundanese madurese balinese minangkabau
    mirpuri pahari pothwari pothohari saraiki sindhi balochi hindko pashtun pashto hazara hazaragi dari uyghur
    konkani tulu odia assamese maithili bhojpuri marwari sylheti chakma newari tamang gurung sherpa dzongkha
    karen karenni chin kachin shan mon rakhine hmong khmu thai viet taishanese cantonese hokkien hakka
    auslan makaton aramaic assyrian chaldean turkmen kurd kurds circassian
    american canadian australian mexican cuban haitian dominican brazilian colombian peruvian chilean bolivian
    venezuelan guatemalan honduran salvadoran nicaraguan panamanian jamaican trinidadian british scottish european
    african asian caucasian spanish italian portuguese russian ukrainian romanian hungarian bulgarian serbian croatian
    bosnian albanian macedonian greek turkish lebanese syrian iraqi iranian israeli jordanian palestinian egyptian
    moroccan algerian tunisian libyan sudanese ethiopian eritrean kenyan ugandan tanzanian nigerian ghanaian congolese
    rwandan zimbabwean pakistani bangladeshi afghan indian nepalese burmese vietnamese cambodian filipino indonesian
    malaysian chinese taiwanese japanese korean swedish norwegian danish finnish dutch belgian austrian swiss
    estonian latvian lithuanian georgian
    """
) - listed("karen dakota meru mon chin shan cheyenne roma finn dane shona nama luo sidamo")
"""Faiths, peoples and languages."""
CLIPPED = listed(
    """
    bronch tymps tymp recert occl immun prehab defib ophth rcvd addr cert vacc vax spiro grp mbr primip multip dict afeb
    mammo chole tomo fundi disch proc comp poss creps abdo prolly granddtr neice desat sylvian gracias klinik fhir
    toco ctg
    etoh tmax pplat angio anticip ther immed reconc abnl nml wnl hosp gynae paed ccu picu nicu scbu mau sau amu hdu itu
    apgars tpr obs ecchy erythem hypert sobr nkda pmhx pshx fhx shx famhx sochx socx soc prior auths dispo ambo ambos
    medevac helo heli telehealth telemed telemedicine teleconsult telephonic televisit homecare daycare aftercare
    worklist workaround handwashing crossmatch callsign checklist handover handoff washout workup followup clinician
    sonographer sonographers prosthetist orthotist phlebotomist perfusionist echocardiographer dosimetrist cytologist
    orthoptist optician mammographer densitometry physio physios dietetics dietetic psychol neuropsych neuropsychology
    vasovagal aphthous caecum cecum basophilic eosinophilic neutrophilic acetowhite myope myopes hyperope emmetrope
    punctal conus cauda troponin trops benzathine procaine brushite struvite oxalate torsades bigeminy trigeminy
    pickwickian marfanoid cushingoid addisonian jacksonian parkinsonian oslerian gallop jvp jvd hjr
    proband consanguineous pedigree karyotype microarray exome immunofixation electrophoresis
    diuresed defervesced extubated intubated decannulated debrided dilated titrated uptitrated downtitrated rehydrated
    transfused ambulated mobilised mobilized catheterised catheterized counselled consented rebooked rechecked resited
    resutured reswabbed rescanned reviewed redosed retested biba bibems bibp lwbs
    """
)
"""Shorthand and words of the clinic that begin a sentence or a field."""
KITH = listed(
    """
    mamaw mawmaw papaw pawpaw meemaw memaw peepaw nanna nannie grammy grandad granddad grampa gramps gogo ouma oupa
    tannie oom tante tannta onkel mummy daddy mommy whanau moko koro kuia nonna nonno nonni yiayia pappou papou babcia
    dziadek babushka dedushka lolo kuya ate aling mang inang tatay nanay bunso
    bhai didi bhabhi chacha chachi mama mami mausi masi dada dadi nana nani thatha paati ammamma akka anna amma appa
    halmeoni halabeoji obaasan ojiisan popo gonggong ahma ahgong jiejie gege
    khala khalo amo ammo teta jiddo sido sitto habibi abla abi teyze amca dede nine
    mzee mama baba dada kaka bibi babu shangazi mjomba aunty aunties uncles
    """
) - listed("anna nana dada mama nani amo abi nine mang ate masi")
"""What kin are called, before a name or instead of it."""
_PAIRS = """
    charles bonnet, ivor lewis, braxton hicks, jobson horne, west haven, ross river, murray valley, barmah forest,
    austin flint, graham steell, argyll robertson, marcus gunn, ramsay hunt, pierre robin, treacher collins,
    prader willi, kaplan meier, guillain barre, brown sequard, von willebrand, von hippel, le fort, de quervain,
    grey turner, mary joseph, jackson pratt, spencer wells, neville barnes, gardner wells, austin moore,
    boston scientific, boston sci, gilles tourette, silver russell, russell viper, bence jones, stanford binet,
    rey complex, hopkins verbal, trail making, weight watchers, slimming world, little league, mountain dew, dr pepper,
    big mac, lorna doone, jack daniels, johnnie walker, jim beam, captain morgan, bloody mary, shirley temple,
    caesar salad, granny smith, mary jane, semmes weinstein, greulich pyle, tanner whitehouse, harris benedict,
    lund browder, rokitansky aschoff, panton valentine, scarff bloom, swyer james, keith wagener, bland altman,
    mann whitney, hardy weinberg, hosmer lemeshow, kruskal wallis, levey jennings, kirby bauer, mueller hinton,
    lowenstein jensen, ziehl neelsen, donath landsteiner, kleihauer betke, child pugh, hoehn yahr, clavien dindo,
    ferriman gallwey, fontaine rutherford, house brackmann, spetzler martin, hunt hess, lauge hansen, salter harris,
    kellgren lawrence, montgomery asberg, rumack matthew, fletcher suit, brandt daroff, dix hallpike, rift valley,
    lesch nyhan, wolff parkinson, parkinson white, charcot marie, marie tooth, kasabach merritt
    """
JOINED = frozenset(pair.strip() for pair in _PAIRS.split(","))
"""Two names in a row that medicine, or the shop, has made a thing."""
JOINED_FIRST = frozenset(pair.split()[0] for pair in JOINED)
THINGS = GOODS | GERMS | PEOPLES | CLIPPED | KITH
"""All of them."""
