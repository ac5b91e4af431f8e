/**
 * Months in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish, in full and
 * as they are shortened, without diacritics. No word means two months in two of these languages.
 */
const NAMES = [
  "january jan januar jaenner janner janvier janv enero ene gennaio gen januari janeiro styczen stycznia sty",
  "february feb februar fevrier fevr fev febrero febbraio februari fevereiro luty lutego lut",
  "march mar marz maerz mrz mars marzo maart mrt marco marzec marca",
  "april apr avril avr abril abr aprile kwiecien kwietnia kwi",
  "may mai mayo maggio mag mei maio maj maja",
  "june jun juni juin junio giugno giu junho czerwiec czerwca cze",
  "july jul juli juillet juil julio luglio lug julho lipiec lipca lip",
  "august aug aout aou agosto ago augustus sierpien sierpnia sie",
  "september sep sept septembre septiembre settembre set setembro wrzesien wrzesnia wrz",
  "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz",
  "november nov novembre noviembre novembro listopad listopada lis",
  "december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru",
];

/** From a folded word to the number of the month, 1 to 12. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((words, index) => words.split(" ").map((word) => [word, index + 1] as const)),
);

/** Days of the week, which a date may carry and which say nothing more. */
export const WEEKDAYS: readonly string[] = [
  "monday mon montag mo lundi lun lunes lunedi maandag ma segunda",
  "tuesday tue tues dienstag di mardi martes martedi dinsdag terca",
  "wednesday wed mittwoch mi mercredi mer miercoles mie mercoledi woensdag wo quarta",
  "thursday thu thur thurs donnerstag jeudi jeu jueves jue giovedi gio donderdag quinta",
  "friday fri freitag fr vendredi ven viernes vie venerdi vrijdag vr sexta",
  "saturday sat samstag sa samedi sam sabado sab sabato zaterdag za",
  "sunday sun sonntag so dimanche dim domingo dom domenica zondag zo",
].flatMap((words) => words.split(" "));
