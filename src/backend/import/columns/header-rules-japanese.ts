import { known, strong, weak, type HeaderRule } from "./header-rule.ts";
import { all, has, is } from "./header-test.ts";

/**
 * The words of Japanese exports. 更新日 is nobody's: it may be the day of the renewal and that of the
 * last change.
 */
export const JAPANESE_RULES: readonly HeaderRule[] = [
  known(has("*ssl* *証明書* *サーバ* *カード* *whois* *初年* *初回* *月額* *移管* *取得*")),
  known(has("*登録日* *登録年月日* *作成日* *更新日時* *最終更新* *自動更新日* *自動更新料*")),
  known(is("状態, ステータス, 種別, ネームサーバー, 番号")),
  strong("autoRenew", has("*自動更新*")),
  strong("renewalPrice", all(has("*更新* *年間* *年額*"), has("*料* *費* *価格* *金額* *年額*"))),
  weak("renewalPrice", is("料金, 価格, 金額, 費用")),
  strong("currency", is("通貨")),
  strong("years", is("年数, 契約年数, 更新年数")),
  strong("expires", has("*有効期限* *満了日* *失効日* *利用期限*")),
  strong("registrar", is("レジストラ, レジストラー, 登録業者")),
  weak("registrar", is("管理会社, 事業者")),
  strong("account", is("アカウント, アカウント名")),
  strong("owner", is("所有者, オーナー")),
  weak("owner", is("担当者, 担当部署, 部署, 顧客, 顧客名")),
  strong("tags", is("タグ, ラベル")),
  weak("tags", is("グループ, フォルダ, フォルダー, カテゴリ, カテゴリー")),
  strong("notes", is("備考, メモ, コメント")),
  weak("notes", is("説明, 用途")),
  strong("name", is("ドメイン, ドメイン名, ドメインネーム")),
];
