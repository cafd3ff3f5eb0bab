# ruff: noqa: E501, RUF001 - a list of words that is broken over lines reads worse; every script has its own letters
"""The words of `supervisor.evidence.provenance.intents`, in twenty-seven languages and scripts that put no space between words."""

from __future__ import annotations

MESSAGE, PAY, DELETE, BOOK, BUY, ADMIT, CHANGE, CREATE, PUBLISH, STORE, RUN, READ = (
    *("message", "pay", "delete", "book", "buy", "admit", "change", "create", "publish", "store", "run", "read"),
)

# Words that are verbs in any position; `*` marks a prefix.
ALWAYS: dict[str, str] = {
    MESSAGE: "send sends sending thank thanks congratulate remind reply respond forward notify resend sende senden schick* schreib* antworte* beantwort* benachrichtig* informiere* weiterleit* leite verschick* mitteil* teile melde envoi* envoy* répond* écri* transmet* transfèr* prévien* avertis* envía* envia* envíe* envie* enviá* enviar* manda mande mandar* responde* respónd* contest* escrib* escríb* reenv* notific* avisa* avise* invia* inviare manda* rispond* scriv* inoltr* avvisa* escrev* encaminh* avise stuur* verstuur* beantwoord* schrijf* отправ* напиш* ответ* сообщ* перешл* передай* wyślij wyslij wysyłaj napisz* odpowiedz* odpisz* powiadom* przekaż* poinformuj* skicka* svara* meddela* vidarebefordra* gönder* cevapla* yanıtla* bildirin gửi kirim kirimkan balas beritahu* teruskan надішли* відправ* напиши* відповід* повідом* перешли* küldj* küldd* írj írd válaszol* értesít* továbbít* tuma tumia mtumie mwandikie mjibu jibu* wajulishe mjulishe trimite* răspunde* anunță* scrie-i pošli* odpověz* napiš* informuj* přepošli* στείλε* απάντησε* γράψε ενημέρωσε* lähetä* vastaa* ilmoita* send svar skriv underret* videresend*",
    PAY: "pay reimburse repay settle remit überweis* zahl* bezahl* begleich* erstatte* paie* paye* payer* règle* rembours* vire virer paga* pague* págal* transfier* transfer* abona* abone* liquid* reembols* bonific* versa* rimbors* transfira* betaal* maak оплат* заплат* переведи* перечисл* верни refund refunds zapłać zaplac opłać oplac przelej* ureguluj* betala* överför* återbetala* öde ödeyin havale* bayar bayarkan lunasi оплати* заплати* перекажи* сплати* fizesd* fizess* utald* utalj* térítsd* lipa lipia mlipe walipe rudisha plătește* plateste* rambursează* virează* zaplať* uhraď* proplať* vrať πλήρωσε* μετέφερε* maksa* hyvitä* betal* refunder*",
    DELETE: "delete remove erase wipe cancel unsubscribe discard purge kick lösch* entfern* stornier* storniere* kündig* supprim* efface* annul* enlev* retir* elimin* borra* borre* cancela* cancele* quita* cancella* rimuov* exclu* apag* remov* verwijder* wis annuleer* удали* сотри* отмен* убер* usuń usun skasuj* anuluj* radera* avboka* silin siliniz iptal xóa xoá hapus hapuskan batalkan видали* скасуй* töröld* törölj* távolítsd* futa ondoa ghairi șterge* sterge* anulează* elimină* smaž* zruš* odstraň* odhlas* διέγραψε* ακύρωσε* αφαίρεσε* poista* peruuta* slet fjern* annuller* slett avbestill*",
    BOOK: "book reserve schedule reschedule buche* reservier* vereinbar* plane réserv* reserv* planifi* agend* prenot* fissa* marque boek* plan забронир* заплан* назнач* zarezerwuj* zaplanuj* umów boka* schemalägg* planera* rezervasyon planla planlayın reservasi jadwalkan заброн* заплануй* foglalj* foglald ütemezd* szervezz* panga hifadhi rezervă* programează* planifică* rezervuj* naplánuj* domluv* κλείσε προγραμμάτισε* varaa* ajoita* reserver* planlæg* planlegg*",
    BUY: "buy purchase checkout subscribe kauf* bestell* abonnier* achèt* achet* command* compra* compre* pide pedir* acquist* ordina* encomend* koop* bestel* купи* закаж* kup zamów zamow köp beställ* satın sipariş mua beli belikan купи замов* vegyél vásárolj* rendelj* rendeld* nunua agiza cumpără* comandă* kup objednej* αγόρασε* παράγγειλε* tilaa* køb kjøp bestil bestill",
    ADMIT: "invite grant authorize authorise permit add join lade einlad* füge hinzufüg* erlaub* berechtig* freigeb* invit* ajout* autoris* accord* añad* agreg* autoriz* conced* aggiung* adicion* convid* nodig voeg пригласи* добав* zaproś zapros dodaj* nadaj* bjud lägg davet ekle ekleyin mời thêm undang tambahkan запроси додай* alika ongeza ruhusu invită* adaugă* acordă* pozvi přidej* uděl* πρόσθεσε* κάλεσε lisää* kutsu* inviter* tilføj*",
    CHANGE: "update change modify fix implement refactor repair debug rename replace adjust switch enable disable reset edit move turn correct ändere* aktualisier* ersetz* schalt* stell* setze setz pass korrigier* modifi* chang* remplac* met mets mettez actualiz* cambi* reemplaz* activ* desactiv* ajusta* aggiorn* sostitu* imposta* attiva* disattiva* atualiz* alter* mude wijzig* pas zet измен* смени* поменя* обнов* замен* включ* выключ* zmień zmien zaktualizuj* popraw* ustaw* przenieś ändra* uppdatera* rätta* flytta* değiştir* güncelle* düzelt* sửa ubah ganti perbarui зміни* онови* виправ* módosítsd* frissítsd* cseréld* javítsd* állítsd* helyezd badilisha sasisha rekebisha sogeza actualizează* modifică* schimbă* înlocuiește* mută* uprav* změň* aktualizuj* přesuň* oprav* άλλαξε* ενημέρωσε* muuta* päivitä* korjaa* siirrä* opdater* oppdater* ændr* endre* flyt pause resume suspend snooze extend renew rotate upgrade downgrade raise lower increase reduce reconcile merge split rollback revert enrol enroll tidy migrate",
    CREATE: "create make add generate draft set open register registrier* erstell* anleg* lege mach* füge cré* ajout* fais crea* cree* haz añad* genera* aggiung* crie* criar maak создай* сделай* добав* utwórz utworz stwórz zrób skapa* oluştur* hazırla* tạo buat buatkan buatlah створи* зроби* készíts* csinálj* tengeneza unda andaa creează* întocmește* vytvoř* připrav* udělej δημιούργησε* φτιάξε* laadi* opret* opprett* lav lag",
    PUBLISH: "post publish upload tweet share veröffentlich* poste* hochlad* lade publi* partag* postez sube* subir* compart* pubblic* carica* condivid* poste deel plaats опубликуй* выложи* загрузи* поделись* opublikuj* publicera* yayınla* yayımla* paylaş* đăng unggah bagikan опублік* chapisha pakia shiriki publică* încarcă* distribuie* zveřejni* nahraj* sdílej* δημοσίευσε* ανέβασε* julkaise* lataa* jaa offentliggør*",
    STORE: "save write store export append insert record copy back speicher* sicher* trag* notier* kopier* enregistr* sauvegard* inscri* copie* guard* anota* copia* salv* annota* sla bewaar* noteer* сохрани* запиши* скопируй* zapisz* skopiuj* spara* anteckna* kaydet* lưu simpan catat збережи* запиши* скопіюй* mentsd* jegyezd* rögzítsd* másold* andika rekodi hifadhi salvează* notează* înregistrează* ulož* zapiš* poznamenej* αποθήκευσε* κατέγραψε* tallenna* kirjaa* lagre noter*",
    RUN: "run execute install deploy start build test compile launch fix implement debug restart clone migrate configure führe ausführ* installier* starte* behebe* repar* exécut* install* lance* corrig* ejecut* instal* inici* arregl* esegu* avvia* corregg* voer start запусти* выполни* установи* исправь* uruchom* zainstaluj* napraw* wykonaj* kör installera* fixa åtgärda* çalıştır* başlat* chạy jalankan pasang perbaiki встанови* виконай* futtasd* telepítsd* indítsd* endesha sakinisha rulează* instalează* pornește* spusť* nainstaluj* τρέξε εγκατέστησε* suorita* asenna* käynnistä* kør kjør installer*",
    READ: "get read find look fetch visit browse navigate view show check download retrieve summarize summarise what who whom whose when where which how why tell give list compare recommend suggest explain describe analyze analyse assess evaluate identify monitor investigate calculate count determine search lookup know translate research proofread classify verify is are do does can could lies lese* such* finde* zeig* sag* gib prüf* fasse welche* was wer wann wo wie warum wieviel übersetz* vergleich* öffne* lis lire cherche* trouve* montre* dis dites donne* vérifi* résum* quel* qui quand où combien comment ouvre* compar* lee leer busca* encuentra* muestra* dime dame revisa* resum* qué quién cuándo dónde cuánto* cuánta* cuál* cómo abre* leggi cerca* trova* mostra* dimmi dammi controlla* riassum* che chi quando dove quanto quanti quanta quante come qual* apri leia procur* encontr* mostre diga verifi* quem quais qual quantos onde lees zoek* vind* toon vertel geef controleer* vat wat wie wanneer waar hoe прочит* найди* покаж* скажи* проверь* что кто когда где сколько как какой какие переведи erklär* erläuter* zähl* expliqu* explica explique explícame spiega spiegami hoeveel uitleggen przeczytaj* znajdź znajdz pokaż pokaz powiedz sprawdź sprawdz streść stresc podsumuj* wyjaśnij* jaki jaka jakie ile kiedy gdzie kto dlaczego porównaj* przetłumacz* läs hitta visa kolla sammanfatta* vad vilken vilka vilket varför jämför* översätt* förklara* özetle* göster* söyle* nedir nerede kaç hangi neden nasıl okuyun tóm đọc tìm dịch gì đâu rangkum* ringkas* tampilkan temukan apa berapa kapan siapa bagaimana kenapa terjemahkan carikan прочитай* знайди* скажи* перевір* підсумуй* поясни* переклади* порівняй* чому коли скільки який яка які ما كم هل перескажи* объясни* посчитай* сравни* почему keresd* keress* nézd* mutasd* mondd listázd* ellenőrizd* olvasd* kérdezd* számold* hasonlítsd* fordítsd* összegezd* mennyi melyik mikor miért hol soma tafuta angalia onyesha eleza orodhesha muhtasari linganisha hesabu tafsiri kagua niambie nini nani lini wapi ngapi găsește* gaseste* caută* citește* arată* spune* verifică* rezumă* compară* listează* traduce* când unde cât câte najdi* přečti* ukaž* řekni* zkontroluj* shrň* porovnej* přelož* vypiš* kolik který která jaký kdy βρες διάβασε* δείξε* πες έλεγξε* σύγκρινε* μετάφρασε* συνόψισε* ποιος ποια πότε πόσο etsi* lue näytä* kerro tarkista* vertaa* käännä* tiivistä* kuka milloin paljonko find læs vis fortæl fortell tjek sjekk opsummer* oppsummer* sammenlign* oversæt* oversett* hvem hvad hva hvornår når hvor hvilken transcribe audit screen explore kérd inspect forecast",
}
# Words that are also nouns or adjectives: they count only at the beginning of a wish.
LEADING: dict[str, str] = {
    MESSAGE: "email mail message text dm contact ping answer call write share tell inform say accept decline confirm rsvp",
    PAY: "transfer wire deposit donate refund send",
    DELETE: "drop clear close clean",
    BOOK: "plan arrange",
    BUY: "order get",
    CHANGE: "set close archive resolve assign mark move share lock unlock block unblock arm disarm",
    PUBLISH: "push comment submit",
    STORE: "file note log document put",
    ADMIT: "share add let",
    RUN: "do use call make",
    CREATE: "start open",
}
# In scripts without spaces between words, these count in any position.
INSIDE: dict[str, str] = {
    MESSAGE: "发送 发给 发邮件 寄给 回复 通知 转发 告诉他 告诉她 送信 送って 返信 知らせて 連絡 伝えて 転送 メールして 보내 답장 전달 भेज सूचित أرسل ارسل أبلغ שלח השב הודע ส่ง ตอบกลับ แจ้ง بفرست ارسال پاسخ اطلاع পাঠা উত্তর জানা",
    PAY: "支付 付款 转账 汇款 退款 缴费 支払 振り込 払って 送金 返金 결제 송금 환불 भुगतान भेज हस्तांतरित ادفع حوّل سدد שלם העבר החזר จ่าย ชำระ โอนเงิน คืนเงิน پرداخت واریز পরিশোধ অর্থ",
    DELETE: "删除 取消 移除 清空 削除 消して 取り消 キャンセル 삭제 취소 हटा मिटा डिलीट रद्द احذف امسح ألغ מחק בטל הסר ลบ ยกเลิก حذف لغو মুছ বাতিল",
    BOOK: "预订 预约 安排 预定 予約 予定を 예약 बुक आरक्षित शेड्यूल احجز הזמן קבע จอง นัด رزرو زمان‌بندی বুক নির্ধারণ",
    BUY: "购买 下单 订购 買って 購入 注文 구매 주문 खरीद ऑर्डर اشتر קנה ซื้อ สั่งซื้อ بخر سفارش কিন",
    ADMIT: "邀请 授权 添加 招待 追加 許可 초대 추가 आमंत्रित जोड़ أضف امنح הוסף הזמן אפשר เพิ่ม เชิญ อนุญาต اضافه دعوت যোগ আমন্ত্রণ",
    CHANGE: "修改 更改 更新 设置 变更 変更 更新 設定 변경 수정 업데이트 बदल संशोधित غيّر عدّل حدّث עדכן שנה ערוך แก้ไข เปลี่ยน อัปเดต تغییر ویرایش به‌روزرسانی পরিবর্তন আপডেট",
    CREATE: "创建 新建 添加 作成 追加 作って 만들 बनाओ बनाइए أنشئ צור הכן สร้าง ทำ ایجاد بساز তৈরি",
    PUBLISH: "发布 上传 分享 公開 投稿 アップロード 共有 게시 업로드 공유 प्रकाशित अपलोड साझा انشر شارك פרסם העלה שתף เผยแพร่ อัปโหลด แชร์ منتشر بارگذاری প্রকাশ আপলোড",
    STORE: "保存 写入 记录 备份 書き込 記録 저장 기록 सहेज احفظ שמור רשום บันทึก ذخیره ثبت সংরক্ষণ লিখ",
    RUN: "运行 执行 安装 修复 実行 インストール 修正 실행 설치 इंस्टॉल شغّل نفّذ הרץ התקן รัน ติดตั้ง اجرا نصب চালা",
    READ: "查看 查找 搜索 阅读 总结 什么 多少 哪 谁 几 显示 告诉我 検索 読んで 要約 教えて 何 いつ どこ 誰 確認 調べ 찾아 알려 요약 무엇 언제 क्या कौन कब कहाँ कैसे कितन बताओ बताइए दिखा खोज पढ़ सारांश اقرأ لخّص لخص ابحث اعرض ماذا متى أين كيف 统计 解释 翻译 为什么 吗 説明 翻訳 数え 설명 번역 몇 समझा अनुवाद اشرح ترجم מצא חפש קרא הצג סכם בדוק תרגם כמה מתי ค้นหา หา อ่าน แสดง สรุป ตรวจสอบ แปล เท่าไร เมื่อไร อะไร پیدا بخوان نشان خلاصه بررسی ترجمه چند کی چه খুঁজ পড় দেখা সারাংশ যাচাই অনুবাদ কত কখন কী",
}
# Words that have this meaning in a tool's name, but not in a user's text.
NAMING: dict[str, str] = {
    MESSAGE: "email mail message sms dm text notification whatsapp slack ping",
    PAY: "payment money transaction transfer wire refund payout withdraw deposit donate invoice charge",
    DELETE: "rm destroy unlink drop clear terminate revoke close",
    BOOK: "reservation booking appointment event calendar meeting",
    BUY: "order purchase cart checkout subscription",
    ADMIT: "user member role permission access collaborator participant share invite grant",
    CHANGE: "password profile settings status config toggle device lock unlock block unblock arm disarm set archive resolve assign mark",
    PUBLISH: "webpage tweet publish upload comment channel pull pr",
    STORE: "file note memory remember log put",
    RUN: "command shell bash script code exec terminal python",
}
# The object that is made or changed decides the intent.
MADE: dict[str, str] = {
    MESSAGE: "email mail message reply nachricht courriel correo mensaje messaggio mensagem bericht письмо сообщение",
    PAY: "transaction payment transfer refund zahlung überweisung paiement virement pago transferencia pagamento betaling",
    BOOK: "event meeting appointment reminder reservation booking calendar termin besprechung rendez reunion réunion evento cita reunión appuntamento riunione afspraak встречу событие",
    ADMIT: "user member participant participants invitee invitees access permission permissions role benutzer mitglied utilisateur membre usuario miembro utente",
    STORE: "file document note datei dokument fichier archivo fichero documento bestand файл",
    PUBLISH: "post page comment issue release pull beitrag",
}
