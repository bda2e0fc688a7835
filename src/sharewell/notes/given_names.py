"""Given names, and short forms of them, that the shipped lists of names leave out: from general knowledge."""

from __future__ import annotations

from sharewell.notes.listed import listed

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
    vern vi vic vik viv wally wes whit wilf winnie woody xander zac zak zander zoe
    """
)
"""Names of many languages as they are written in English, and nicknames."""
