# ruff: noqa: E501, RUF001 - a table of words that is broken over lines reads worse; every script has its own letters
"""The verbs with which users request each sort of act, in eighteen languages, and the words that bound a request.

Words are folded (lower case, no accents) and match as prefixes; `=` marks a whole word, `^` one that counts only where a
clause begins, and `$` one that counts only where it ends ("mail weg"). `turn~off` is a verb with a particle behind it. Words of scripts without spaces
match anywhere, as do phrases (`_` for a space) and ends of compounds (`-neustart`).
"""

from __future__ import annotations

from enum import StrEnum


class Verb(StrEnum):
    """A sort of act that users request."""

    DELETE = "delete"
    STOP = "stop"
    RESTART = "restart"
    START = "start"
    DEPLOY = "deploy"
    PUSH = "push"
    PUBLISH = "publish"
    INSTALL = "install"
    SEND = "send"
    SHARE = "share"
    GRANT = "grant"
    REVOKE = "revoke"
    ROTATE = "rotate"
    RESET = "reset"
    MOVE = "move"
    FORMAT = "format"
    CLOSE = "close"
    WRITE = "write"
    FETCH = "fetch"
    SCHEDULE = "schedule"
    SWITCH = "switch"
    MERGE = "merge"
    FREE = "free"  # makes room, by whatever act


# Finnish, Swedish, Danish and Norwegian, Czech, Ukrainian; English, German, French, Spanish, Portuguese, Italian, Polish,
# Dutch, Turkish, Russian; Korean, Japanese, Chinese.
VERBS: dict[Verb, str] = {
    Verb.DELETE: "be_deleted be_hard-deleted be_removed be_dropped be_purged be_wiped be_cleared be_pruned =saca =sacar =saque =poista =poistan tyhjenn havit siivoa =karsi karsia putsaa =radera =rensa =slett =slet =fjern =tom ta_bort smaz odstran vymaz vycist видали прибери очист =clean =cleans cleanup can_go may_go must_go has_to_go have_to_go should_go needs_to_go =forget =thin =truncate =truncating =unregister =unregistering =deregister =deregistering can_be_deleted no_longer_need kann_weg konnen_weg moet_weg kan_weg puede_irse pode_ir puo_andare =cleaning =clear =clears =clearing =delete =deletes =deleting deletion =destroy =destroys =destroying destruction =discard =discards =empty =emptying =erase =erasing =purge =purges =purging =remove =removes =removing removal =rm =wipe =wiped =drop =drops =dropping =prune =pruning =trash =nuke =reclaim =decommission =decommissioning =uninstall =terminate =teardown =tear =expire =flush =scrap =shred =unlink =throw =rid =retire =dispose"
    " gelosch geleer vernichtet wegraum =losch losche loschen vernicht auflos =aufl =loesch loesche entfern =leere =leeren =wirf verwerf =verwirf aufraum =raum =raume =bereinig bereinige abbau $weg ^weg"
    " supprim effac enlev =vide vider videz nettoi nettoy purge detrui =jette =jetez elimin"
    " borra borre =elimina =elimine eliminar quita quite limpi vacia vacie destru descart suprim"
    " apag remov exclui =limpa =limpe limpar esvazi deit"
    " cancella rimuov =svuota svuotare pulisc =pulire puli distrugg scart"
    " usun skasuj wyczysc wywal oproznij porzuc"
    " verwijder =wis =wissen =leeg opruim =ruim =gooi vernietig"
    " =sil =silin =silip silebilir kaldir temizle bosalt =siler"
    " удал сотри стер очист убер снес уничтож"
    " 삭제 지워 지우 제거 비워 정리 削除 消して 消す 消去 除去 片付け クリア 删除 删掉 移除 清空 清理 清除 刪除",
    Verb.STOP: "stummschalt stummgeschalt wycisz silenci silenzia заглуш 음소거 ミュート 静音 =draining =evict =kick =take_out =pysayta =pysaytys lopeta sammuta kytke_pois poista_kaytosta =stang stoppa avsluta inaktivera =sluk deaktiver zastav vypni зупини вимкни =stop =stops =stopping =pauses =pausing =pausa =pausar pausier =kill =kills =killing ^end =ends =ending =terminate =halt =shutdown =shut =disable =disabling =suspend =pause =cancel =poweroff ^power power_off power_down power_cycle power-cycle =scale =drain =silence =deallocate =mute =unload =abort =detach =decommission $off turn~off switch~off power~off shut~off shut~down take~down bring~down scale~down spin~down wind~down turn~down power~down"
    " gestopp abgeschalt ausgeschalt heruntergefahr angehalt stopp beende anhalt =halte abschalt =schalte herunterfahr =fahre =fahr $runter fahr~runter nimm~runter $aus schalt~aus mach~aus deaktivier abbrech"
    " arret stopper =stoppe =tue eteins eteindre desactiv coupe"
    " deten =pare parar apaga desactiv mata =mate termina"
    " encerr deslig desativ desabilit interromp"
    " ferma fermare arresta spegn disattiv uccid termin"
    " zatrzym wylacz zabij zakoncz"
    " schakel stopzet beeindig =zet"
    " durdur kapat devre sonlandir"
    " останов выключ заверши убей отключ"
    " 중지 정지 종료 꺼 중단 내려 내리 停止 止めて 止める 終了 無効 切って 停掉 停用 关闭 终止 关机 杀掉",
    Verb.RESTART: "kaynnista_uudelleen uudelleenkaynn starta_om =genstart =start_om restartuj перезапусти =restart =restarts =restarting =reboot =reboots =rebooting =bounce =reload =reloading =recycle =relaunch =rerun"
    " neustart -neustart $neu neu_start neu_boot neu_lad =starte durchstart relance redemarr reinici recarg riavvi ricaric restartuj zrestartuj uruchom herstart"
    " yeniden перезапус перезагруз 재시작 재부팅 다시 再起動 リスタート 重启 重新启动",
    Verb.START: "=kaynnista ota_kayttoon =starta aktivera spust zapni запусти увімкни =start =starts =starting =enable =enabling =launch =load =mount =boot =run starte aktivier demarr activ inicia arranca avvia uruchom wlacz =start baslat запуст включ 시작 실행 켜 올려 올리 起動 開始 有効 启动 开启 运行",
    Verb.DEPLOY: "ota_kayttoon =vie julkaise rulla =driftsatt rulla_ut udrul utrull nasad розгорни =deploy =deploys =deploying =apply =applying =provision =roll =rollout =release =ship =approve =promote bereitstell ausroll =rolle ausliefer anwend =wende deploi =appliqu desplieg desplega =aplica =aplique implant implement distribui =applica =rilascia wdroz =zastosuj uitrol =rol =implementeer dagit =uygula разверн задепло выкат примени 배포 적용 デプロイ 適用 リリース 展開 部署 应用 上线",
    Verb.PUSH: "=push =pushes =pushing =force =forced =amend =rebase =rewrite =rewriting =squash pushe schieb pousse empuja =sube envia =faca =fai wypchnij =gonder запуш отправ 푸시 プッシュ 推送",
    Verb.PUBLISH: "=vie julkaist publicera =udgiv =utgi vydej опублікуй =cut =solta =soltar =solte =julkaise =publish =publishes =publishing =release =releasing =ship veroffentlich publi lanza =lanca pubblic rilasc opublik wydaj publiceer yayinla yayımla опублик выпуст 게시 배포 공개 출시 公開 リリース 发布 發布",
    Verb.INSTALL: "=asenna =lisaa =paivita =installera =uppdatera lagg_till =opdater =oppdater nainstaluj aktualizuj встанови онови додай =add =adding =get =install =installs =installing =setup set_up =upgrade =upgrading =update =bump installier einricht =richte aktualisier hinzufug =fuge installe =ajout instal anade agrega actualiz adiciona atualiz aggiung aggiorn zainstal dodaj zaktualiz installeer voeg =kur =kurun yukle ekle =guncelle установ постав добав обнов 설치 추가 업데이트 インストール 追加 入れて 安装 添加 更新",
    Verb.SEND: "=laheta =kopioi =siirra =vie =skicka =kopiera =send_til posli zkopiruj надішли скопіюй =copy =post =publish =push =send =sends =sending =share =sync =transfer =upload =uploading =mail =email =forward =deploy =mirror =backup =replicate =submit =deliver"
    " schick send =lade hochlad kopier ubertrag envoi envoy transfer copie televers =envia =envie enviar manda sube copia carga carrega inviar invia carica trasfer wyslij przeslij skopiuj stuur verzend upload kopieer gonder yukle kopyala отправ пошли загруз скопир перешли 보내 전송 업로드 복사 送信 送って アップロード コピー 发送 上传 复制 传送",
    Verb.SHARE: "weiterleit umleit fais_suivre faire_suivre faites_suivre redirig reenvi reencaminh inoltr przekier doorstu yonlendir переадрес 転送 转发 =jaa =avaa =dela =oppna del_med sdilej поділись =bind =expose =exposing =forward =forwarding =listen =ngrok =public =publish =share =sharing =tunnel =reach =reachable =open =allow =anyone =everyone =internet freigeb ^gib offn =lass zuganglich partag ouvr autoris compart abre abra permit permite exponga exponer condivid apri esponi udostepn otworz ^deel open paylas =ac открой расшар подел 공유 열어 허용 공개 共有 公開 開放 开放 共享 分享",
    Verb.GRANT: "=anna =lisaa =myonna =salli =ge =tilldela lagg_till =giv =gi pridel надай =admin =allow =assign =attach =bind =give =grant =grants =granting =owner permission =permit =role =add =authorize =authorise =let right_to =rights =gib =gibt =gebt =gebe erteil berechtig erlaub donn accord autoris octroi ^da =dale concede concede otorg asign atribu permit =dai assegn autorizz nadaj przyznaj =dodaj =geef =ken verleen =ver yetki =ekle дай выдай предостав назнач 부여 권한 추가 付与 権限 追加 授予 授权 赋予",
    Verb.REVOKE: "=evaa peruuta_oik aterkalla dra_in =fratag odeber відклич =lock =revoke =revoking =withdraw =deregister =detach =disable =remove entzieh entzog widerruf =sperr sperre gesperr revoqu retir revoc quita retira odbierz cofnij trek =intrekken iptal отозв отбер 회수 취소 取り消 剥奪 撤销 吊销",
    Verb.ROTATE: "=kierrata ^uusi =rotera =byt rotuj онови =rotate =rotating =rotation =renew =reissue =regenerate =replace rotier erneuer renouvel rot renueva reneva =troca rinnov ruot obroc odnow wymien roteer vernieuw =yenile dondur ротир смени обнов перевыпус 교체 갱신 ローテ 更新 交換 轮换 更换",
    Verb.RESET: "=replay =replays =replaying zuruck_auf zuruck_zu back_to roll_back =palauta =nollaa =alusta aterstall =nulstil obnov скинь віднови =reset =resets =resetting =recreate =rebuild =rebuilding =restore =restoring =reinit =reinstall =reimage =revert =reverting =undo =overwrite =overwriting =replace =replacing =rollback =refresh =reseed =recover zurucksetz =setze $neu neu_auf neu_an neu_erstell neu_einspiel neu_bau =stell wiederherstell uberschreib reinitialis recre restaur ecras ecrase retabl remplac restablec recrea restaur sobrescrib revert reconstru sobrescrev restaur redefin reimpost ripristin ricrea sovrascriv przywroc zresetuj odtworz nadpisz herstel overschrijf =sifirla geri сброс восстанов пересозда перезапиш откат 초기화 복원 복구 재생성 덮어 リセット 復元 再作成 上書き 戻して 重置 恢复 重建 覆盖 还原",
    Verb.MOVE: "=siirra =muuta_nimi =flytta =flyt presun перенеси =move =moves =moving =mv =rename =renaming =transfer =migrate =migrating =relocate =archive =import verschieb migrier umbenenn =benenn archivier depla migr renomm muev mover migra renombr archiva =move renomei spost rinomin przenies migruj zmien verplaats hernoem tasi adlandir перенес перемест мигр переимен 옮겨 이동 이전 이름 移動 移行 リネーム 迁移 移动 重命名",
    Verb.FORMAT: "=alusta =kirjoita formatera formater zformatuj відформатуй =format =formats =formatting =reformat =wipe =wiped =erase =flash =flashing =burn =image =write =partition =zero =repartition formatier =loesch uberschreib =flashe formate formatez efface grave =formatea borra grabar graba formata grava formatta cancella sformatuj =formateer wis bicimlendir отформат затри запиши 포맷 지워 구워 フォーマット 初期化 消去 書き込 格式化 抹掉 烧录",
    Verb.CLOSE: "=sulje =stang =luk zavri закрий =close =closes =closing =reject =decline schliess ferme =cierra cierre ^fecha feche chiudi zamknij sluit kapat закрой 닫아 닫기 クローズ 閉じ 关闭 关掉",
    Verb.WRITE: "=load =loads =loading =muuta =vaihda =korjaa =kirjoita =luo =aseta =laske =nosta =lisaa ^andra =satt =skapa =rett =ret zmen vytvor зміни створи =append =change =changing =copy =create =creating =edit =overwrite =put =replace =save =set =update =updating =write =insert =add =fix =configure =make =modify =adjust =andern aender =umandern abander andere_die andere_den andere_das andere_in erstell schreib setz ersetz bearbeit modifi chang cre ecri remplac cambia crea escrib pon actualiz modific muda cria escrev altera cambi scriv aggiorn imposta zmien utworz zapisz popraw wijzig maak schrijf vervang degistir olustur yaz измен создай запиши замени =limit =limiting =cap begrenz beschrank limite limita plafonn ogranicz beperk sinirla огранич 제한 制限 限制 변경 수정 생성 작성 変更 修正 作成 書い 修改 更改 创建 写",
    Verb.FETCH: "=lataa =hae =noutaa =ladda =hamta =hent stahni завантаж =clone =download =downloading =fetch =get =pull herunterlad =hol telecharg recuper descarg obten baix scaric pobierz =haal indir скача загруз 다운로드 받아 ダウンロード 取得 下载 获取",
    Verb.SCHEDULE: "=ajasta joka_yo joka_paiva schemalagg =planlag naplanuj заплануй =cron cronjob =crontab =schedule =scheduled =scheduling autostart daemon =daily =nightly =weekly =monthly =hourly =periodic recurring =timer startup einplan taglich nachtlich planifi quotidien program agenda diari pianific giornal zaplan codzien =plan ^plane =planen =dagelijks zamanla =gunluk расписан ежедневн 예약 매일 定期 毎日 スケジュール 定时 每天 计划任务",
    Verb.SWITCH: "=switch switch_over switchover failover fail_over =promote hand_over umschalt =schalte wechsel =bascul bascule conmut =cambia comuta =passa przelacz przelaczenie omschakel wissel gecis vaihda vaihto =byt vaxla переключ 전환 切り替え 切替 切换",
    Verb.FREE: "=free free_up make_room =reclaim freimach freigeb platz_schaff liber libere =zwolnij vrijmak =vapauta frigor =frigjor освобод 확보 空け 腾 释放",
    Verb.MERGE: "=merge =merges =merging consolidat zusammenfuhr fusion unisci unire scal =polacz samenvoeg birlestir yhdista sammanfog слей объедин 통합 統合 結合",
}
# Who asks to be shown, told or given a plan has not asked for the act that the plan is about.
LOOKS = (
    "=check =checks =list =show =tell =find =see =look =inspect =review =describe =explain =analyze =analyse =analysis =audit =verify =investigate =compare =count =identify =report =summarize =summarise =estimate =monitor =prepare =draft =plan =propose =suggest =simulate =rehearse =preview =document =mark =label =tag =note =what =which =how =why =whether =should =wonder =dry-run =dryrun =rehearsal =examine =determine =diagnose =calculate =compute =quantify =assess =evaluate"
    " berechn =rechne pruf pruef =zeig =zeige =liste =schau =finde =sag =sage =erklar =erklare analysier entwirf =entwurf =plane vorbereit =bereite =welche =warum =wie =markier =markiere kennzeichn"
    " calcul chiffr verifi =montre =dis =liste =lister =trouve regarde expliqu analys prepar =quels =quelles =pourquoi =comment =marque =propose"
    " =calcula =calculad =revisa =comprueba =muestra =lista =dime =encuentra =mira =explica =analiza =cuales =que =como =marca =propon =registra =averigua"
    " =verifica =mostra =diga =diz =encontra =ve =explica =analisa =quais =porque =regista =descobre"
    " =calcola =controlla =mostra =elenca =dimmi =trova =guarda =spiega =quali =perche =segna =esamina"
    " oblicz policz sprawdz =pokaz wylistuj znajdz wyjasnij =jakie =ktore =dlaczego przygotuj oznacz"
    " bereken controleer =toon =lijst =zoek =vertel bekijk =welke =waarom =hoe bereid markeer"
    " hesapla kontrol goster =bak listele =bul acikla =hangi =neden =nasil hazirla isaretle"
    " посчита рассчита провер =покажи =список найди посмотри объясни =скажи =расскажи =какие =почему =как подготов отмет перечисл"
)
LOOKS_INSIDE = "계산 計算 计算 검토 봐 살펴 확인 보여 알려 목록 찾아 조사 점검 분석 준비 표시 確認 調べ 見せて 教えて 一覧 リスト 分析 準備 検証 点検 检查 查看 列出 告诉 找出 分析 准备 标记 看看"
# Words that begin a question, and words that in a question ask to be told.
QUESTIONS = (
    "what what's which who who's whose when where why how whether is are was were does do did has have isn't aren't doesn't don't didn't hasn't may might should any anyone"
    " wer wen wem was wann wo wieso warum weshalb wie welche welcher welches welchen wieviel woher woran ist sind hat gibt"
    " qui que quoi quand ou combien quel quelle quels quelles pourquoi comment qu'est-ce est-ce est"
    " quien que cuando donde cuanto cuanta cuantos cuantas cual cuales por como es esta hay"
    " quem quando onde quanto quantos quantas qual quais porque e ha"
    " chi cosa che dove quanti quante quale quali perche com'e c'e"
    " kto co kiedy gdzie ile ktory ktora ktore czemu dlaczego jak jaki jaka jakie czy"
    " wie wat wanneer waar hoeveel welke waarom hoe zijn staat"
    " kim ne nerede neden kac hangi nasil niye"
    " кто что когда где сколько какой какая какие почему зачем как"
    " kuka mika mita milloin missa miksi kuinka onko"
    " vem vad nar var varfor hur vilken vilka"
)
QUESTIONS_INSIDE = "누가 무엇 뭐 언제 어디 왜 어떤 어느 얼마 몇 인가 나요 까요 誰 何 いつ どこ なぜ どの どれ いくつ どう でしょうか ますか ですか 谁 什么 何时 哪 为什么 为何 多少 怎么 几 吗 呢"
# Words that request a change without a word for its sort: "fix it", "mach das", "dá um jeito".
MENDS = (
    "=fix =fixing =repair =solve =resolve =mend =correct =make =help =try =do =handle =sort =deal =bring =turn =use =build =convert =compress =switch =retry =merge =commit =go =implement =refactor =optimise =optimize =speed =free =resume =continue =rebuild =let =ensure =arrange =guarantee =notify =inform =remind =keep_only =put =take =run =rerun =execute =migrate =import =export =generate =rewrite =link =connect =tidy =trim =shrink =cut =lower =raise =increase =reduce =block =unblock =lock =unlock =free_up =make_sure"
    " reparier beheb =behebe =lose =mach =mache =machen korrigier =bring =hilf kummer =starte"
    " repar =resous =resoudre =resolvez corrig =fais =faites =faire =aide debloqu"
    " arregl soluciona =resuelve =haz =hacer =ayuda desbloque"
    " consert resolv =faz =faca =fazer =ajuda =da =arruma =libera"
    " sistem risolv =fai =fare aiuta sblocca"
    " napraw popraw rozwiaz =zrob pomoz odblok =zamkn"
    " repareer =los =doe =maak =help herstel"
    " duzelt onar =coz =yap yardim"
    " почин исправ реши сдела помоги разблок"
    " 고쳐 고치 해결 수정 처리 도와 対処 直して 直す 解決 修正 対応 手伝 修复 解决 处理 帮我 弄好 改成 =korjaa =fixa =atgarda"
)
# What only tells something, even if the agent writes it: "make a list of ...".
TELLINGS = "=concept =konzept =concepto =conceito =concetto =numbers =figures =zahlen =chiffres =cifras =numeros =cifre =plan =draft =proposal =entwurf =vorschlag brouillon borrador rascunho =bozza =ontwerp =taslak черновик =план 계획 초안 計画 下書き 计划 草稿 方案 =list =overview =summary =report =estimate =breakdown =inventory =analysis =assessment =comparison =count liste ubersicht =bericht zusammenfassung auswertung =analyse aufstellung inventaire =rapport resume apercu =lista listado resumen informe =analisis inventario relatorio resumo =analise elenco riepilogo rapporto =analisi zestawienie raport =wykaz podsumowanie =analiz =lijst overzicht samenvatting =listesi =ozet =rapor список отчет обзор сводк анализ 목록 보고서 요약 분석 一覧 リスト 報告 レポート 分析 清单 列表 报告 报表 汇总"
CREATES = "=need brauch necesit preciso =besoin potrzebuj =create =make =write =get =give =compile =collect erstell =mach =mache schreib =gib =gebe =hol cre =fais =faites ecri =donne crea =haz escrib =dame =faz =faca escrev =da =fai scriv =dammi utworz =zrob napisz =daj maak schrijf =geef olustur =yaz =ver созда напиши сдела состав дай 만들 작성 뽑아 作成 作って 出して 创建 生成 写 做 给我"
# Words of LOOKS that prepare a change, or that are as often no request: they do not show that the user only looks.
NO_MERE_LOOK = "prepar vorbereit =bereite przygotuj bereid hazirla подготов 준비 準備 准备 mark =label =tag =note =document kennzeichn oznacz isaretle отмет 표시 标记 =registra =regista =segna =should =wonder =ve =simulate =rehearse"
# Words of QUESTIONS that begin other sentences as well.
OFTEN_NO_QUESTION = "als any anyone are as che co come comme como cosa cuando do don't donde dove e es est esta gdzie ha has hat have hay hvor is ist jak kiedy may might ne och onde quand quando que se should sind staat var when where wie zijn как когда"
# After these stands a noun: "after the update".
ARTICLES = "a after an before beim das del dem den der des die du during ein eine einem einen einer el gli her his il its l last los my nach next no of our since that the these this those un une uno vom your"
# Phrases of requests, folded as the words are. `looks`: to look, whatever the verb. `may_user`: asks leave, so it is a
# question. `to_agent`: a question that asks the agent to do something. `wishes`: says what is wanted, with any verb.
# `idioms`: a word for looking that does not mean it. `is_so`, `opens_statement`: tells what is the case.
PHRASES: dict[str, str] = {
    # folded: a look into a fault that was reported before; what users say that they do themselves; an inability
    "investigates": r"\binvestigat|\b(?:take|have|get) an? (?:quick |close |closer )?look|\blook into\b|\bdiagnos|\bfigure out\b|\bfind (?:out |me )?(?:the |its )?(?:(?:root )?cause|reason|why)|\bursache|\bworan\b|wirf einen blick|\bschau|\bcause\b|coup d'oeil|\bcausa\b|\bmotivo\b|un vistazo|uma olhada|un'occhiata|przyczyn|rzuc okiem|oorzaak|werp een blik|\bnedeni|причин|\bsyy\b|syyn\b|orsak|原因|원인|調べて|調査|调查|查一下|확인해",
    "user_does": r"^(?:and |then |so )?(?:i'll|i will|we'll|we will|i am going to|i'm going to|ich werde|wir werden|je vais|nous allons|voy a|vamos a|eu vou|nos vamos|io [a-z]+(?:ero|iro)\b|ik zal|ik ga|ja (?:potem|sam)|я сам|minä)\b",
    # folded: what somebody else has yet to do; an English clause that begins with its subject; pasts that look like orders
    "others_do": r"^(?!(?:it|this|that|these|those|they|the|we|you|i|es|das|sie|wir|il|elle|ca|cela|on|nous|esto|eso|isto|isso|questo|to)\b)[a-z][\w-]+ (?:still |yet |noch )?(?:has|have|had|must|needs?|muss|doit|tiene|tem|deve|musi|moet) (?:still |yet |noch |encore |todavia |ainda |ancora |jeszcze |nog )(?:to |que |de )?\w|^(?!(?:it|this|that|the|we|you|i)\b)[a-z][\w-]+ still (?:has|have|needs?) to (?!be\b)",
    "subject": r"^(?:the|an?|our|my|your|his|her|their|this|that|these|those|somebody|someone|nobody|everybody|everyone)\b",
    "told_past": r"^(?:took|went|made|put|sent|broke|left|got|came|ran|lost|cut|hit|fell|gave|kept|began|became|was|were|had|did)\b",
    "fault": r"\b(?:can't|cannot|can not|couldn't|could not|unable to|won't|doesn't|don't|didn't|fails? to|failing to|failed to|kann nicht|konnen nicht|lasst sich nicht|ne (?:peut|peuvent|parvient)|n'arrive|no (?:puede|pueden|logra)|nao (?:consegue|conseguem|pode)|non (?:riesce|riescono|puo)|nie (?:moze|moga|mozna)|kan niet|kunnen niet|не (?:может|могут|удается))\b",
    "looks": r"\b(?:take|have|get|do|make|run) an? (?:quick |close |closer )?(?:look|peek|dry[- ]?run)|\bdry[- ]?run\b(?! (?:can|could|is|are|was|were|did|has|have|had|went|showed|passed|from|of|keys?|data|results?)\b)|jet(?:e|ter|ez) un (?:coup d')?oeil|wirf einen blick|echa un vistazo|da uma olhada|dai un'occhiata|rzuc okiem|werp een blik|goz at\b|взгляни|(?:like|want|need) to (?:know|understand)|(?:wusste|mochte) (?:gern|wissen)|(?:voudrais|veux) savoir|(?:quiero|quero|queria) saber|vorrei sapere|chce wiedziec|wil weten|хочу знать|알고 싶|궁금|知りたい|想知道|^(?:please )?read (?:the|this|that|through|up|my|our)\b|\bkeep an eye on\b|im auge behalten|\bsurveille|\bvigila\b|fica de olho|tieni d'occhio|miej na oku|in de gaten|\bследи|지켜봐|見守|盯着|\blet me know\b|\bbescheid (?:geben|sagen)|(?:gib|sag|gebt|sagt)\b.{0,20} bescheid|\banrufen$|\bme avis[ae]\b|\bavisame\b|\bavvisami\b|\bprevien(?:s|t)[- ]moi\b|\bdaj znac\b|laat (?:me|het) (?:me )?weten|\bhaber ver\b|\bсообщи\b|\bдай знать\b"
    r"|\bwork out (?:the|what|how|whether|which)\b|\bsend (?:me|us) (?:the|a|an|your) (?:\w+ )?(?:list|names?|numbers?|figures?|counts?|summary|table|overview|results?|report|findings|answer)\b|\bschick(?:e|t)? (?:mir|uns) (?:die|das|den|eine?) (?:liste|namen|zahlen|ergebnis\w*|bericht|ubersicht)|\b(?:envoie|envoyez)[- ](?:moi|nous) (?:la|les|le|une?) (?:liste|noms|chiffres|resultats?|rapport)|\b(?:mandame|enviame|manda-me|envia-me|me (?:manda|envia|mande|envie)|mandami|inviami) (?:la|el|los|las|a|o|os|as|il|i|gli|una?|uma?|l') ?(?:lista|nombres|nomes|nomi|numeros|numeri|resultados?|risultat\w*|informe|relatorio|rapporto|elenco|resumen|resumo)|\b(?:wyslij|przyslij) (?:mi|nam) (?:list|nazw|wynik|raport|zestawienie)\w*|\bstuur (?:me|mij|ons) (?:de|het|een) (?:lijst|namen|cijfers|resultat\w*|rapport)|\bпришли(?:те)? (?:мне|нам)? ?(?:список|имена|цифры|результат\w*|отчет)|\b(?:take|have|get|do|make|run) an? (?:quick |close |closer )?(?:look|peek|dry[- ]?run)|\bdry[- ]?run\b(?! (?:can|could|is|are|was|were|did|has|have|had|went|showed|passed|from|of|keys?|data|results?)\b)|jet(?:e|ter|ez) un (?:coup d')?oeil|wirf einen blick|echa un vistazo|da uma olhada|dai un'occhiata|rzuc okiem|werp een blik|goz at\b|взгляни|(?:like|want|need) to (?:know|understand)|(?:wusste|mochte) (?:gern|wissen)|(?:voudrais|veux) savoir|(?:quiero|quero|queria) saber|vorrei sapere|chce wiedziec|wil weten|хочу знать|알고 싶|궁금|知りたい|想知道|^(?:please )?read (?:the|this|that|through|up|my|our)\b|\bkeep an eye on\b|im auge behalten|\bsurveille|\bvigila\b|fica de olho|tieni d'occhio|miej na oku|in de gaten|\bследи|지켜봐|見守|盯着|\blet me know\b|\bbescheid (?:geben|sagen)|(?:gib|sag|gebt|sagt)\b.{0,20} bescheid|\banrufen$|\bme avis[ae]\b|\bavisame\b|\bavvisami\b|\bprevien(?:s|t)[- ]moi\b|\bdaj znac\b|laat (?:me|het) (?:me )?weten|\bhaber ver\b|\bсообщи\b|\bдай знать\b",
    "may_user": r"^(?:so |and |but )?(?:can|may|could|should|shall) (?:i|we|one|it|this|that|these|those|the)\b|^(?:kann|darf|soll|konnen|durfen|sollen) (?:ich|man|wir|das|die|der)\b|^(?:puis-je|peut-on|est-ce que|on peut)\b|^(?:puedo|podemos|se puede|se pueden|posso|podemos|da para|da pra|si puo|si possono|possiamo|moge|mozna|kan ik|kan dit|mag ik|можно)\b|可以.{0,20}吗|能.{0,12}吗",
    "to_agent": r"\b(?:(?:can|could|would|will) (?:you|u)|(?:kannst|konntest|wurdest) du|(?:konnen|konnten|wurden) sie|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|tu peux|(?:puedes|podrias|podes|puede usted|pode|poderia|podes|puoi|potresti|mozesz|moglbys|kun je|kan je|kunt u|wil je)|\w+ (?:misin|musun)|можешь|можете)\b|해 ?(?:주|줄)|주시겠|くれ(?:ます|る)|もらえ|いただけ|能不能|可以帮|能帮|能否",
    "wishes": r"\b(?:must|needs? to|has to|have to|should|shall|i want|we want|i need|we need|i'd like|let's|please|kindly|soll\w*|muss|mussen|mochte|bitte|il faut|doit|doivent|je veux|merci de|debe\w*|hay que|quiero|necesito|por favor|deve\w*|precis[ao]\w*|quero|preciso|bisogna|voglio|vorrei|trzeba|powin\w+|prosze|chce|moet\w*|graag|wil|lutfen|istiyorum|lazim|должн\w*|нужно|надо|хочу|пожалуйста)\b|帮|把|해 ?주|해줘|하세요|십시오|ほしい",
    "polite": r"^(?:please|pls|thanks|thank you|thx|bitte|danke|merci|s'il (?:te|vous) plait|svp|stp|por favor|gracias|obrigad[oa]|per favore|grazie|prosze|dzieki|alstublieft|graag|bedankt|lutfen|пожалуйста|спасибо|ください|下さい|お願い(?:します)?|请|谢谢|\s)*$",
    "tries": r"\b(?:helps?|helped|fixes|solves|cures|improves|hilft|behebt|lost|aide|regle|resout|ayuda|arregla|resuelve|ajuda|resolve|aiuta|risolve|pomaga|pomoze|helpt)\b|\bby \w+ing\b|\bindem\b|\ben \w+ant\b|\b\w{3,}(?:ando|endo|iendo)\b (?:el|la|los|las|o|a|os|as|il|lo|i|gli|un|una|uno)\b|помога|поможет|도움이|効果|直るか|治るか|有没有用|能否解决",
    "idioms": r"\bsee (?:to it|that)\b|\bfind (?:a|some) (?:way|fix|solution)\b|\blook after\b|\bkeep only\b|\bfind and\b|\b(?:tell|sag|sage) (?:the|all|every|him|her|them|dem|der|den|allen|ihm|ihr|ihnen)\b",
    "subordinate": r"^(?:and |und |et |y |e |i |en |ve |и )?(?:whether|which|what|who|whom|why|when|where|how|that|since|ob|welche\w*|wer|was|warum|wann|wo|woher|wohin|wodurch|wovon|wie|dass|czy|ktor\w*|co|kto|ile|dlaczego|jak|qui|que|qu'|ce qui|ce que|quel\w*|combien|pourquoi|comment|cual\w*|quien|cuant\w*|donde|por que|quem|quais|qual|quant\w*|che|chi|cosa|quali|quale|perche|кто|что|как\w*|почему|сколько|of|welke|wat|wie|waarom|hoeveel)\b",
    "opens_statement": r"""^(?:(?:now|currently|aktuell|derzeit|momentan|actuellement|actualmente|atualmente|attualmente|obecnie|momenteel|the|a|an|this|that|these|those|my|our|your|his|her|its|it|i|we|they|he|she|you|there|some\w*|no|nobody|after|since|when|if|because|as|all|one|two|every\w*|in|on|at|of|for|with|from|der|die|das|ein\w*|mein\w*|unser\w*|es|ich|wir|sie|er|im|am|seit|nach|wenn|weil|da|auf|bei|von|alle|niemand|le|la|les|l|un|une|mon|ma|mes|notre|nos|il|elle|on|je|nous|depuis|apres|quand|si|sur|dans|el|los|las|una|mi|mis|nuestr\w*|desde|cuando|en|o|os|as|um|uma|meu|minha|nosso|nossa|desde|quando|no|na|nos|nas|ao|se|depois|a|lo|i|gli|uno|mio|mia|nostr\w*|da|dopo|sul|nel|nella|po|od|gdy|kiedy|bo|moj\w*|nasz\w*|w|na|u|ja|het|een|mijn|onze|sinds|toen|ik|wij|bu|benim|bizim|у|в|на|после|когда|наш\w*|мой|моя|я|мы|он|она|это)\b|\S{0,40}[\d_/.@:`'\"\u00ab\u201e-]\S{0,80}\s)""",
    "is_so": r"^\W?(?:hay|ha|c'e|ci sono|il y a|es gibt|er zijn|er is|there(?:'s| is| are))\b|\b(?:is|are|was|were|has|have|had|does|did|isn't|aren't|won't|can't|couldn't|cannot|says?|said|fails?|failed|reports?|complains|looks?|seems?|ist|sind|war|hat|haben|wird|wurde|est|sont|etait|a ete|esta|estan|son|es|fue|foi|sao|e|estao|ta|sono|jest|sa|byl\w*|heeft|zijn|werd|var|yok|есть|был\w*|стал\w*|нет)\b",
}
