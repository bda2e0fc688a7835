"""Places that the list of cities lacks: parts of large cities, states and counties of many countries, short names."""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

SHORT_NAMES = listed(
    """
    nyc philly vegas frisco nola atx abq pdx slc socal norcal sf chitown jersey joburg jozi pmb blr hyd kl bkk jkt
    sfo lax jfk lga ewr dfw ord iah atl phx sea bos dca iad msp dtw lhr lgw cdg fra ams yyz yvr syd mel akl dxb del bom
    pe ec wpg ott mtl tdot hk uws ues fidi soho tribeca noho dumbo nola dtla weho noda beantown okc kcmo stl indy
    """
)
"""What people call cities, and codes of airports: they need a word such as "to" or "from" before them."""

_MANY = """
    tower hamlets
    hammersmith | fulham | camden town | hackney | islington | southwark | lambeth | lewisham | greenwich
    newham
    haringey | waltham forest | kensington | notting hill | brixton | peckham | camberwell | stockwell | clapham
    battersea | tooting | catford | deptford | bermondsey | whitechapel | bethnal green | stratford | walthamstow
    leyton | tottenham | finsbury park | stoke newington | shoreditch | wapping | canary wharf | southall
    ealing | acton | chiswick | edgbaston | selly oak | sparkhill | handsworth | moseley | harborne
    didsbury | chorlton | fallowfield | rusholme | moss side | levenshulme | toxteth | anfield | everton | chapeltown
    harehills | headingley | heeley | gorbals | govan | partick | maryhill | easterhouse | leith | morningside
    crumlin | tallaght | ballymun | finglas | clondalkin | rathmines | ballyfermot | stoneybatter
    brooklyn | manhattan | bronx | staten island | harlem | astoria | flushing | bushwick | williamsburg | bay ridge
    bed stuy | bedford stuyvesant | crown heights | flatbush | sunset park | park slope | jackson heights | jamaica
    far rockaway | washington heights | inwood | east village | lower east side | upper west side | upper east side
    squirrel hill | shadyside | bloomfield | hill district | homewood | south philly | north philly | fishtown
    kensington | germantown | manayunk | back bay | beacon hill | south boston | dorchester | roxbury
    mattapan | jamaica plain | roslindale | east boston | charlestown | allston | hyde park | englewood | pilsen
    bronzeville | wicker park | logan square | rogers park | lincoln park | humboldt park | south side | west side
    east la | east los angeles | south central | boyle heights | echo park | silver lake | koreatown | venice beach
    watts | san pedro | van nuys | north hollywood | encino | reseda | sherman oaks | tenderloin | mission district
    noe valley | haight ashbury | bayview | hunters point | outer sunset | capitol hill | ballard | fremont
    rainier valley | beacon hill | belltown | queen anne | french quarter | ninth ward | treme | gentilly | algiers
    bywater | mid city | buckhead | midtown | little five points | west end | east point | montrose | the heights
    third ward | fifth ward | little havana | little haiti | overtown | liberty city | coral way | wynwood
    north loop | uptown | cedar riverside | over the rhine | hough | tremont | hamtramck
    scarborough | etobicoke | north york | kitsilano | east van | gastown | verdun | outremont | rosemont
    newtown | surry hills | parramatta | bankstown | fitzroy | footscray | st kilda | fortitude valley | south bank
    umlazi | soweto | khayelitsha | gugulethu | mitchells plain | alexandra | mamelodi | kwamashu | diepsloot | langa
    sandton
    hillbrow | bandra | andheri | dadar | borivali | powai | koramangala | indiranagar | jayanagar | whitefield
    malleswaram | t nagar | adyar | mylapore | velachery | karol bagh | dwarka | rohini | saket | lajpat nagar
    salt lake | gariahat | banjara hills | jubilee hills | gulshan | dhanmondi | mirpur | uttara | clifton | saddar
    lekki | ikeja | surulere | ikoyi | yaba | ajegunle | garki | wuse | eastleigh | kibera | westlands | kasarani
    kreuzberg | neukölln | prenzlauer berg | charlottenburg | schwabing | altona | sankt pauli | montmartre | belleville
    trastevere | lavapies | gracia | alfama | copacabana | ipanema | rocinha | pinheiros | polanco | coyoacan | palermo
    tai kok tsui | mong kok | sham shui po | wan chai | tsuen wan | sha tin | ang mo kio | toa payoh | bukit timah
    tampines | jurong | bedok | woodlands | petaling jaya | cheras | shibuya | shinjuku | meguro | minato ku
    long island | cape cod | jersey shore | outer banks | rust belt | bay area | silicon valley | wine country
    twin cities | quad cities | panhandle | rio grande valley | mississippi delta | upper peninsula | hill country
    west point | fort hood | camp pendleton | camp lejeune | fort bragg | bethesda naval
    county antrim | county armagh | county down | county fermanagh | county tyrone | county londonderry
"""
NEIGHBOURHOODS = tuple(name.strip() for line in _MANY.strip().splitlines() for name in line.split("|"))
"""Parts of large cities, and regions by their names."""

REGIONS = tuple(
    name.strip()
    for line in """
    maharashtra | karnataka | kerala | tamil nadu | andhra pradesh | telangana | gujarat | rajasthan | uttar pradesh
    madhya pradesh | bihar | jharkhand | odisha | west bengal | assam | punjab | haryana | himachal pradesh | sindh
    uttarakhand | chhattisgarh | manipur | meghalaya | nagaland | mizoram | tripura | balochistan | khyber pakhtunkhwa
    saskatchewan | nunavut | yukon | northwest territories | labrador | western australia | south australia
    northern territory | kwazulu natal | gauteng | limpopo | mpumalanga | free state | eastern cape | western cape
    northern cape | north rhine westphalia | saxony | hesse | thuringia | brandenburg | schleswig holstein | tyrol
    catalonia | andalusia | galicia | tuscany | lombardy | piedmont | sicily | sardinia | brittany | normandy | provence
    alsace | lorraine | burgundy | flanders | wallonia | oaxaca | chiapas | jalisco | sonora | sinaloa | michoacan
    guanajuato | zacatecas | durango | chihuahua | tamaulipas | nuevo leon | yucatan | quintana roo | minas gerais
    bahia | pernambuco | parana | santa catarina | rio grande do sul | hokkaido | okinawa | kyushu | guangdong | fujian
    sichuan | yunnan | hunan | hubei | henan | anhui | jiangsu | zhejiang | shandong | shaanxi | gansu | xinjiang
    cornwall | devon | somerset | dorset | wiltshire | hampshire | surrey | kent | sussex | essex | suffolk | norfolk
    cambridgeshire | lincolnshire | leicestershire | derbyshire | nottinghamshire | staffordshire | shropshire
    herefordshire | worcestershire | warwickshire | oxfordshire | gloucestershire | berkshire | buckinghamshire
    hertfordshire | bedfordshire | northamptonshire | lancashire | cheshire | cumbria | northumberland | county durham
    merseyside | powys | gwynedd | ceredigion | pembrokeshire | carmarthenshire | glamorgan | aberdeenshire | fife
    perthshire | ayrshire | lanarkshire | inverness shire | orkney | shetland | donegal | galway | kerry | limerick
    tipperary | waterford | wexford | wicklow | kildare | offaly | roscommon | leitrim | sligo | mayo | cavan | monaghan
    fermanagh | tyrone | armagh | antrim | londonderry | east anglia | west midlands | east midlands | tyneside
    """.strip().splitlines()
    for name in line.split("|")
)
"""States, provinces and counties of many countries."""
