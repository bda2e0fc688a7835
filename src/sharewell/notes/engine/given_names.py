"""Given names, and short forms of them, that the shipped lists of names leave out: from general knowledge."""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

MORE_GIVEN = listed(
    """
    abdi abdulla abdullahi abebe abena abeba abiodun adaeze adaora adanna adebayo adeola aditi adunni afolabi afua
    agnieszka ahmad aidar aigerim aisling aisha akeem akello akosua akua alasdair alejo aleksandar alemayehu alexei
    alfa alhaji alibek aliya alkhas alyosha amadou amani amara amarjit ameena amina aminata amir amira amrita anahit
    anan anand anca andile aneurin angharad anjali aoibhe aoibheann aoife apinya aram arash ardalan arjun armen arti
    arun arwel arwen aryeh asad asefa asha ashok ashraf ashwini asif asma astrid aswathi atul aurelie avi avigail
    avraham ayaan ayaka ayanda ayesha ayodele azadeh aziz azra babajide babak bahar bahram baljit balwinder bandile
    baraka bashir bassam behrouz bekele berhane beth bethan bhavna bhupinder bilal billie bina bindu binh binta
    birgit bisi bola bongani boris bosede bozena branwen brid bridie bronagh brynn bukola busisiwe caoimhe caolan
    carys catrin cathal catriona ceri chantelle charbel chaya chetan chiamaka chibuzo chidera chidi chidinma chike
    chima chinedu chinelo chinonso chioma chizoba chukwuma ciara cian cillian clodagh colm conall conchita corinne
    csilla cyra dafydd dagny dalal damini dana daoud daria darragh dawit debs declan deepa deepak deepika deirdre
    delyth demba desta devi devika dewi dhruv diarmuid dilip dilnoza dimitra dimitri dimitris dinesh dipak divya
    djamila dmitri dmitry dolly donncha dorji dragan drew dung duong dwayne eamon eamonn ebele ebony efua ehsan
    eilidh eilis eimear eirlys ekaterina ekene elif eluned emeka emer emre emyr enda eoghan eoin esi esra eszter
    etienne evangelos ewa eyal ezinne fadi fahad faisal farah fareed farhad farhan farid fariba farida farzana fateh
    fatemeh fathima fatima fatma fatou fatoumata faye fearghal femi ferdinand fergus feyza fikret fionnuala firoz
    flo folake folasade funmi funmilayo gabor gagandeep galina ganesh garima gavriel gayathri gearoid geeta genet
    georgi geraint getachew ghassan giorgos girish gitanjali godfrey gopal goran govind grainne grzegorz gulnara
    gurdeep gurpreet gwen gwenda gwenllian gwyneth habib habiba hadiza hafsa hamid hamish hamza hanan haneen hanh
    haresh hari harinder haris harish harjit haroon haruna haruto hassan hau hedda hefin heledd hemant hemi hemlata
    heng hiba hideo hien hina hiroko hiroshi hoang hodan hong hossam hossein huda hue hung huong husam hussain
    hussein huw hyejin hyun ibrahim idris ieuan ifeanyi ifeoma ifor ignacy ikechukwu ikenna ikram iman imani imran
    indira indra ingrid inge ioan ioana ioannis iolo iqbal iraj iris irfan isha ishaan ishita ismail israa itzel
    iwan iwona jagdish jahangir jai jaime jalil jamal jamila jamileh jana janaki janelle janko jarek jasbir jasleen
    jaspreet jaswinder jatin jaya jayanthi jayesh jiho jihye jin jisoo jitendra jiyoung joao joanie jolanta josip
    jovan jun jyoti kabir kadiatou kai kailash kalpana kamal kamala kamau kamran kanchana karan kareem karim karthik
    kasia kaveh kavita kayode kehinde keiko keir keira kelechi kemal kemi kenji kerstin keshav khadija khadra khaled
    khalid khanh khushi kiera kieran kimiko kiran kirill kirsty kishore kofi kojo kostas krishna kristof krystyna
    kulwinder kumari kunal kuldeep kwabena kwadwo kwaku kwame kwasi kwesi kyung lakshmi lalita lamar lamia lan lars
    latisha laszlo latoya layla leela leila lerato lesedi leszek liam lien linh liv llinos lleucu llewelyn llyr
    lokesh lotte lubna ludmila lwazi madhu madhuri mahdi mahesh maha mahmoud mahmud mahnaz mairead maisie maja malak
    malgorzata malika mamadou mandeep manish manisha manjeet manju manoj manpreet marek mariam mariama maribel
    marjan maryam masako masood matteo maya mbali meabh meera megha mehdi mehmet mehreen mei meinir mehwish mercedes
    merve mesfin mihai mihaela miho milica milos mina minh ming miriam mitra mohamed mohammad mohammed mohan mohit
    moira mona monika moshe moses moussa mpho mudit muhammad muhammed mukesh munir murali murat musa mustafa myfanwy
    nabil nabila nadeem nadia nadim nafisa naledi namrata nana nandini naoki naoko narges narinder nasim nasir nasra
    nasreen nasrin natasha naveed naveen navid navneet nazanin nazia neelam neema neeraj neha nerys nessa nga ngan
    ngoc ngozi nguyet nhung niamh nicu nidhi nikhil nikolai nikos nilufar nima nirmala nisha nishant nithya nitin
    njeri nkechi nkem nobuhle nokuthula nomsa nomvula noor noora nosipho nthabiseng nuala nura nuria nuri obinna
    oddny odhran oisin okechukwu oksana ola olamide oleksandr olena olga oluchi olufemi oluwaseun omar omolara
    onyeka oren orla orlaith osama osman owain oyvind oyelaran padma padraic padraig palesa pallavi pankaj panos
    parisa parminder parvati parveen parvin pasha patrik pavel pawel payal perpetua petr petra phuong phumzile pilar
    piotr pooja prabhu pradeep prakash pramod pranav prasad prashant pratima praveen precious preeti prem preethi
    priti priya priyanka purnima qasim quang quoc rabia radha radhika radu rafal raghav raghu rahel rahim rahma
    rahul raisa raj rajan rajesh rajiv rajni raju rakesh ram ramesh rana ranbir rania ranjit rashad rashid rashida
    ravi ravinder razia reem rehana rekha renu reza rhian rhiannon rhodri rhona rhys riaz ridwan rina rishi ritu
    riya rohan rohini rohit roisin ronak roopa roshan roya rubina ruchi rukhsana rupa rupinder rustam ruth saba
    sabah sabina sabiha sabitha sachin sade sadia saeed safa safiya sagal sahar sahil said saida saima sajid sakshi
    salah saleh salim salma salman samar sameer samia samina samir samira sana sandeep sandhya sangeeta sania sanjay
    sanjeev santosh saoirse sapna sara sarita saroj satish satoshi saurabh savita seamus sefa selam selim sendil
    seun sevda shabana shadi shafiq shagufta shahana shahid shahida shahin shahnaz shaima shakeel shakir shalini
    shamim shamsa shankar shanta shanti sharifa sharmila shashi shazia sheela sheetal shehnaz shereen shilpa shireen
    shirin shiv shivani shobha shona shreya shruti shubham shyam sian sibusiso siddharth sihle silvia simran sindhu
    sinead siobhan siphiwe sipho siti sitara siyabonga slawomir smita sneha snezana sofia soheila solveig somchai
    sona sonal sonia soo sorcha soraya soumya spiros sreedevi sreejith sridhar srinivas stavros steffan stelian
    subhash sudha sudhir suki sukhdeep sukhjit sukhwinder suleiman sultan suman sumathi sumit sunil sunita supriya
    suraj surekha suresh surinder surya sushila sushma svetlana swapna swati szymon tadeusz tahir taiwo takashi
    talal tamar tamara tamsin tanvi tanya taofeek tara tareq tariq taro tatiana tejal temitope tendai tesfaye thabo
    thandi thandiwe thandeka thanh thao themba thi thoko thomasz thu thuy tiago tigist tolu toluwani tomasz tope
    trang trinh trish tsegaye tuan tuncay tuyet ugo uma umair umar umesh urmila ursula usha usman uzma uzoma vaibhav
    vasily vandana vanya varsha varun vasantha vasile vasiliki venkat venkatesh vidya vihaan vijay vijaya vikas
    vikram vikrant vimala vinay vineet vinod vipin vishal vishnu vivek vladimir volodymyr vusi wafa wahid waleed
    walid wanjiku wanjiru waqar wasim wiktor wojciech xiao xin xiomara xochitl yaa yaaba yael yahya yakov yakub
    yaqub yara yasemin yash yasir yasmeen yasmin yaw yehuda yemi yetunde yitzhak yohannes yoko yolanda yonas yoshiko
    yosef youssef yuka yuki yuko yuliya yumi yunus yuri yusra yusuf zahid zahra zainab zara zbigniew zdenek zehra
    zeinab zeynep zhanna ziad zineb zoltan zubair zuleikha zuri zvi abbie aggie alf algie andi angie archie babs
    barb bea becca becks benji bernie bertie bets bev biddy bobbi bobbie bram cass cath cathy charlene chas chaz
    chrissie chrissy chuck cindy cissie connie davey deb debbi dee dickie dinah dodie dolores dom donnie dottie
    eddie edie effie ellie elsie ernie essie ettie fliss fran frankie freddie gabs geoff georgie gerry gert gertie
    ginny gladys gordie gracie greg hal hattie hettie hughie jacqui jas jax jem jez jodie joey johnny jojo josie
    jules kacey kaz kel kez kev kit lenny lettie libby lindy lizzie loz lottie lou louie lulu maddie madge maggie
    mags mandi manny marge marnie matty maz mel mick mickey milly minnie moll mollie morag morty myrtle nance nate
    ned nell nellie nev nicky nige nikki noreen ollie ossie paddy patsy peg peggy perce perry pip posy rab ralphie
    reggie ricky ritchie ronnie rosie rosy roz sadie sammie sammy seb shaz shell shelly shug sid sis stace steph
    stevie suze tad tam tasha ted teddy tess tessa theo tilly timmy tina tommo tony trev tricia trixie trudy vee
    anil bowen bubba cerys delroy dele emmylou kamsi kamsiyochukwu koos marv oarabile refilwe
    ousmane micah tj dre bex tobi ayo bayo dayo deji dipo dotun ebun efe ekow enoch eno etim femke foluke fola
    fumi gbenga gbolahan ibukun ifeoluwa ikeoluwa jide jumoke kola kunle lanre lekan lola mojisola mosun muyiwa
    nike niyi nkiru nnamdi nneka obi ogechi olabisi oladele olumide olusegun omotola ronke rotimi sanmi segun
    seyi sola sunkanmi tade tayo tochi toks tolani tosin toyin tunde uche uchenna ugochi wale wole yinka yomi
    zainabu abimbola ade adeyemi ajoke akin akinyi achieng adhiambo anyango atieno awino awuor auma chebet
    chepkoech cherono jepkosgei kipchoge kiprono kiptoo mumbi mutua mwangi mwende ndungu nyambura nyokabi njoroge
    ochieng odhiambo okoth omondi onyango otieno owino wairimu waithera wambui wangari wanja akinyele asante
    bukari dzifa enyonam kafui kwabla makafui mawuli sedem yayra adjoa araba ekua esinam kobina kweku mensah
    boipelo bontle dineo gugu gugulethu itumeleng kabelo kagiso karabo kgomotso khanyi khanyisile lebo lebogang
    lindani lindiwe londiwe lungile lwandle mandla masego mmabatho moeketsi mosa mthunzi nandi nhlanhla
    nkosana nomfundo nompumelelo nontle ntombi ntombizodwa nqobile olwethu onalenna onthatile oratile phindile
    pule puleng rethabile sanele sbu senzo sfiso sibongile simphiwe sindi sizwe tebogo thandazani thato thembeka
    thembi thulani tiisetso tshepo tumelo tumi vuyo vuyani xolani xolile zanele zinhle zola zodwa zwelakhe farai
    fadzai kudzai kudakwashe munashe nyasha rudo rutendo ruvimbo shingai tafadzwa takudzwa tanaka tapiwa tatenda
    tawanda tendayi tinashe tsitsi vimbai chipo chiedza chanda mutinta mwila bwalya chilufya kabwe kapembwa lubasi
    mubanga mulenga mutale mwansa namukolo thandie loveness lovemore aroha anahera ataahua hine hinemoa kahurangi
    kahu kiri manaaki mere mereana moana ngaio ngaire nikau pania paora piripi rangi rangimarie rawiri rewi ruia
    tamati tane tama tipene tui wiremu whetu mikaere hohepa heremaia sione sefo semisi sitiveni sosefo tevita
    viliami mele losa lupe malia sina tavita tasi pita iosefo ioane fetu folau falaniko faleolo afioga lagi
    leilani keanu kalani kekoa keoni makoa malu mahina noelani nalani pua ikaika kanoa kawika lokelani mililani
    jagjit amandeep arvinder bhavesh bhavin chirag darshan dharmesh dhaval falguni gaurav gautam hardik harpreet
    hetal hiral jalpa jignesh jigna kalpesh ketan keyur komal krupa kulbir lovepreet mahendra mayank mayur meena
    meenakshi minal mitesh mukta narendra nayan neel neeta nilesh nimisha nirav nitesh paresh parul piyush pinal
    pratik prabhjot prakriti pritesh rajendra rajinder rakhi ramila reena rupal rutvik sejal shailesh shefali
    sheel snehal sukhpreet sunaina swapnil tarun tejas trupti tushar urvi vaishali varinder vasudha virat yamini
    yogesh zeel siva acap amirul azlan azman faiz farhana faridah fauzi hafiz haziq hidayah izzat kamarul khairul
    lokman mazlan norhayati nurul rohani rosnah rosli sabariah salmah shahrul suhaila syafiq syazwan wahida
    zaharah zainal zulkifli agus bambang budi dian eka endang fitri gede hendra joko kadek ketut komang nyoman
    putri ratna rini slamet sukarno suparman wayan yanti yusup marites rodel rommel nenita noynoy arnel dodong
    edgardo erlinda girlie inday jejomar jericho jomar liezl lualhati luzviminda maricel maricar marilou marivic
    melchor merlita reynaldo rhodora rodrigo rosalinda rowena rolando teresita virgilio wilfredo zenaida bao chau
    cuong dang diep duc giang hai hieu hoa khoa kieu loan nghia nhan nhi phat phuc quan quyen quynh thang thien
    tho thuan tien toan tram trung tuyen vinh vy xuan yen zhiyuan haoran jiahao jianhua jing junjie lihua
    meiling mingyu qian ruolan shufen siyu weiwei wenjing xiaoli xiaoming xinyi xiuying yifan yichen yan ying yong
    yue yun yuting zhihao zhen zihan aiko akihiro akira asuka ayumi chiyo daiki daisuke emiko etsuko fumiko haruka
    hayato hideki hikaru hinata hiroki isamu kaori katsumi kazuko kazuo kenta kentaro kiyoshi kohei makoto mariko
    masahiro masao megumi michiko midori mitsuko miyuki nanami natsuki nobuko noriko riku ryo ryota sachiko sakura
    satomi shigeru shinji shiori sota tadashi takeshi takumi tatsuya tetsuya tomoko toshiko tsubasa yasuko yoichi
    yosuke yui yukiko areum bora byung changho dahye dongwook eunji eunjung gayoung haewon heejin hyejung hyunwoo
    jaehyun jihoon jimin jinwoo jiwon jiyeon junho junseo kyungmi mijin minho minji minseo sangwoo seojun seoyeon
    seungmin soojin soyeon sujin sunghoon taeyang wonjun yeji yejin yuna ainur aizhan asel bakyt botagoz daulet
    dinara erlan gulsara nazgul nurlan saule timur ulugbek zarina zhanar aleksandra aleksei anatoly andrzej
    anzhela arkady artem bogdan bohdan bozhena branislav bronislaw dariusz dobromir dorota dragana edyta elzbieta
    evgeny filip franciszek gennady halina henryk igor irena ivana ivo jacek jadwiga jakub janusz jaroslav
    jaroslaw jelena jerzy jiri jozef juraj kazimierz ksenia kinga lech lidija ljubica lucjan lyudmila lukasz
    maciej magda malgosia marija mariusz marcin marzena mateusz matej miroslav miroslawa mladen nadezhda nenad
    nikola oleg ondrej piotrek przemyslaw radek radoslav renata ryszard sandor sergei sergey sarka slavica
    slobodan snezhana stanislav stanislaw svitlana sylwia taras tatyana teodora tomas urszula vaclav vasyl
    veronika vesna viktor viktoria vladislav vojtech waldemar wanda wieslaw wioletta wlodzimierz yaroslav yevgeny
    yulia zbynek zdzislaw zeljko zofia zora zuzana aino anneli antero eero eino hannu heikki helmi hilkka ilkka
    jari jukka juhani kaarina kalevi kari kirsi kyosti lauri liisa markku martti matti mikko minna oona outi paavo
    paivi pekka pentti pirjo pirkko raija riitta risto sanna seppo sirpa taina tapio tarja teemu timo toivo tuija
    tuula ulla urho vaino veikko vesa vilho aase agneta aksel anders anette arvid asbjorn bengt berit birger
    bjarne bjorg bjorn borge brynhild dagfinn eirik einar egil elin ellinor erling esben frode freja gerd greger
    grethe gunhild gunnar gunvor gustaf hakan halvor hanne haakon henrik hjalmar inga ingeborg ingemar ingvar jens
    joakim johan jorgen jorunn jostein karsten kjell kjersti knut kristoffer lasse leif lennart linnea magnhild
    magne magnus mads malin marit mats merethe mikkel mogens morten nils olaf oddvar palle pernille preben ragnar
    ragnhild ronnaug roald rolf rune signe sigrid sigurd siv solfrid soren stein steinar stian stig sverre svein
    tage terje thorbjorn thorleif tollef torbjorn tord tore torgeir torild torunn torvald trine trond trygve turid
    tuva ulf unni vegard vidar viggo vigdis yngve adriaan annelies anneke anouk arjan bart cees corrie daan dirk
    elke fenna floris fokke geert gerrit gijs greetje hanneke hein hendrik hendrikje hidde ineke jaap jacoba jan
    janneke jasper jelle jeroen jolanda joost joris kees klaas koen liesbeth lieke luuk maaike maarten machteld
    marijke marieke marloes mariska matthijs mieke mirjam nienke niels paulien piet pieter pim renske rinus roel
    roelof ruud saskia siebe sietske sjoerd sjaak sophieke stijn thijs tjeerd tineke truus wessel wietske wijnand
    willem willemijn wim wouter anneliese ansgar bernd bertold burkhard detlef dieter dietmar ekkehard elfriede
    erhard ernst ewald franz friederike friedhelm fritz gerda gerhard gertraud gisela gotthard gunter gunther
    hannelore hans hansi hartmut heide heidrun heiko heinrich heinz helga helmut henning herbert hermann hilde
    hildegard holger horst ilse ingo irmgard isolde joachim jochen jorg jurgen jutta kaethe karin karlheinz katja
    klaus konrad kunigunde lieselotte liesel lothar ludger luise lutz manfred margarete margit margret mechthild
    meinhard norbert oswald otmar ottilie reiner reinhard reinhold renate rosemarie rudiger rudolf ruprecht
    siegfried sieglinde silke sigrun sven thorsten tilman torben torsten traudl trude udo uli ulrich ulrike ursel
    ute uwe volker walburga waltraud werner wiebke wilfried wilhelm wolfgang aurelien baptiste benoit berengere
    bertrand blandine cedric celestin chloe clotilde cyrille delphine dominique edith eloise emeline emile fabien
    fabienne fabrice firmin flavie florent florian francine franck gaelle gaetan genevieve ghislaine gilles gisele
    gregoire guillaume gwenael helene herve hugues huguette jacqueline jacques jeannine jerome josiane laetitia
    laurent leonie lionel loic luc lucette lucile ludivine magali manon marcel marguerite marielle marion mathieu
    maude maxence melanie mireille morgane myriam nathalie nicolas noemie odette odile pascal pascale patrice
    paulette philippe pierrick quentin rejean remi renee rodolphe roxane sandrine sebastien severine simone
    solange solene stephane sylvain sylvie theodore thibault thierry tristan valerie veronique vincent violette
    virginie xavier yannick yves yvette yvonne
    vern vi vic vik viv wally wes whit wilf winnie woody xander zac zak zander zoe
    """
)
"""Names of many languages as they are written in English, and nicknames."""
