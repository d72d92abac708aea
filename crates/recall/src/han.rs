//! Maps traditional Chinese characters to simplified ones.
//!
//! Our table covers characters of everyday notes. It is not a converter: an ambiguous character gets its most
//! frequent form, and unlisted ones are compared as written.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Pairs, traditional first.
const PAIRS: &str = "
個个 們们 這这 說说 話话 來来 時时 間间 後后 會会 開开 關关 門门 問问 電电 腦脑 車车 東东 馬马 鳥鸟 魚鱼 龍龙 風风 飛飞
國国 園园 圖图 團团 圓圆 學学 覺觉 寫写 書书 畫画 買买 賣卖 讀读 聽听 見见 觀观 現现 視视 親亲 愛爱 媽妈 爺爷 嬰婴 孫孙
師师 醫医 藥药 護护 員员 資资 訊讯 貨货 費费 貴贵 價价 錢钱 銀银 鐵铁 鋼钢 鐘钟 錶表 鍵键 鎖锁 鏡镜 錄录 針针 釣钓 經经
綠绿 紅红 紙纸 線线 組组 結结 給给 統统 級级 約约 網网 緊紧 練练 編编 續续 織织 總总 繼继 絡络 維维 純纯 細细 終终 語语
課课 誰谁 請请 謝谢 認认 識识 試试 詞词 詩诗 該该 詳详 誤误 調调 談谈 論论 證证 計计 訂订 記记 設设 許许 評评 訴诉 診诊
讓让 變变 議议 譯译 讚赞 頭头 題题 類类 願愿 顏颜 順顺 須须 預预 領领 頁页 項项 額额 顧顾 顯显 飯饭 飲饮 館馆 餃饺 餅饼
養养 餓饿 飽饱 點点 黨党 齊齐 齒齿 麥麦 麵面 雞鸡 鴨鸭 鵝鹅 貓猫 豬猪 羅罗 蘭兰 蘋苹 葉叶 萬万 蓋盖 藍蓝 薩萨 蔥葱 蘿萝
蟲虫 蝦虾 螞蚂 進进 過过 還还 遠远 運运 達达 邊边 遲迟 適适 選选 遺遗 郵邮 鄉乡 鄰邻 連连 週周 遊游 邏逻 邁迈 違违 逕迳
長长 張张 場场 陽阳 陰阴 隊队 際际 難难 雙双 雜杂 離离 雲云 靈灵 靜静 響响 歡欢 樂乐 歲岁 歷历 歸归 殘残 氣气 漢汉 灣湾
無无 為为 爲为 燈灯 營营 爐炉 煙烟 熱热 燒烧 爭争 牆墙 獎奖 獨独 獸兽 環环 瑪玛 產产 畢毕 異异 當当 療疗 瘋疯 發发 髮发
盤盘 監监 眾众 礙碍 碼码 確确 禮礼 種种 稱称 積积 穩稳 窮穷 競竞 筆笔 節节 範范 築筑 簡简 簽签 籃篮 糧粮 縣县 體体 麼么
麽么 義义 習习 聯联 聲声 職职 聖圣 腳脚 臉脸 膽胆 臺台 臟脏 與与 興兴 舉举 舊旧 艦舰 藝艺 處处 虛虚 號号 術术 衛卫 衝冲
補补 裝装 製制 複复 復复 襪袜 規规 訪访 豐丰 負负 財财 責责 貧贫 販贩 貼贴 賀贺 質质 賬账 賞赏 賴赖 購购 贈赠 贊赞 貿贸
跡迹 踐践 轉转 輕轻 較较 輛辆 輪轮 輸输 辦办 農农 迴回 鄭郑 釋释 裡里 裏里 銷销 錯错 鍋锅 鍛锻 閃闪 閉闭 閒闲 閱阅 闆板
隨随 險险 雖虽 霧雾 韓韩 顆颗 騎骑 驗验 驚惊 髒脏 鬆松 鬥斗 鬧闹 鮮鲜 鹹咸 鹽盐 麗丽 黃黄 齡龄 龜龟 亞亚 亂乱 從从 億亿
倉仓 側侧 偵侦 備备 傳传 債债 傷伤 傾倾 優优 償偿 儲储 內内 兒儿 兩两 冊册 凍冻 減减 創创 劃划 劇剧 劉刘 劍剑 剛刚 動动
務务 勝胜 勞劳 勢势 勵励 勸劝 區区 協协 單单 衹只 隻只 祇只 廠厂 廣广 廳厅 廢废 庫库 應应 強强 彈弹 錦锦 歐欧 嚴严 嘗尝
嗎吗 噴喷 嚇吓 壓压 壞坏 壯壮 壽寿 夠够 夢梦 夾夹 奪夺 奮奋 婦妇 娛娱 寧宁 寶宝 實实 審审 寬宽 將将 專专 尋寻 對对 導导
層层 屬属 島岛 嶺岭 帥帅 帳帐 帶带 幣币 幫帮 幹干 乾干 幾几 徑径 徵征 恆恒 悶闷 惡恶 惱恼 慶庆 憂忧 憶忆 懷怀 懶懒 懸悬
戀恋 戰战 戲戏 戶户 拋抛 掃扫 掛挂 採采 揀拣 換换 揮挥 損损 搖摇 搶抢 摺折 撥拨 撲扑 擁拥 擇择 擊击 擋挡 擔担 據据 擠挤
擴扩 擺摆 攔拦 攝摄 攤摊 敗败 敘叙 敵敌 數数 斷断 於于 晉晋 晝昼 暈晕 暫暂 曬晒 曉晓 曆历 朧胧 條条 楊杨 極极 構构 槍枪
樓楼 標标 樣样 樹树 橋桥 機机 檔档 檢检 櫃柜 欄栏 權权 棄弃 棗枣 榮荣 業业 決决 沒没 況况 淚泪 淨净 淺浅 測测 湯汤 溝沟
溫温 準准 滅灭 滿满 漁渔 漲涨 漸渐 潔洁 潛潜 澤泽 濃浓 濕湿 濟济 濾滤 瀏浏 灑洒 涼凉 狀状 猶犹 獲获 獻献 瓊琼 甦苏 蘇苏
畝亩 盡尽 瞭了 矚瞩 礦矿 禍祸 稅税 穀谷 窩窝 竊窃 篩筛 籌筹 籤签 糾纠 紀纪 納纳 紛纷 紮扎 紹绍 絕绝 絲丝 綁绑 綜综 綱纲
綿绵 緒绪 緣缘 緩缓 縮缩 繞绕 繪绘 纖纤 罰罚 罷罢 聞闻 聰聪 肅肃 脫脱 腸肠 膚肤 膠胶 臨临 艙舱 莊庄 華华 萊莱 蔣蒋 薦荐
蠟蜡 蠶蚕 衆众 襯衬 覽览 觸触 訓训 託托 詢询 誌志 誕诞 誠诚 誇夸 諾诺 諮咨 謀谋 謊谎 講讲 謹谨 譜谱 譽誉 豎竖 貝贝 貢贡
貸贷 賓宾 賠赔 賺赚 賽赛 贏赢 趕赶 趙赵 軌轨 軍军 軟软 載载 輔辅 輝辉 輯辑 轟轰 辭辞 遙遥 遞递 遜逊 鄧邓 醬酱 醜丑 釀酿
鈕钮 鈴铃 鉛铅 銘铭 銳锐 鋁铝 鋪铺 錘锤 鎮镇 鏈链 鑒鉴 鑰钥 鑽钻 閘闸 闊阔 闖闯 陳陈 陸陆 隱隐 雛雏 頂顶 頓顿 頗颇 頻频
飄飘 飾饰 餘余 饋馈 馮冯 駐驻 駕驾 駛驶 騙骗 騰腾 驅驱 驕骄 骯肮 髖髋 鳳凤 鴿鸽 鷹鹰 齋斋 龐庞 僅仅 僱雇 儀仪 儘尽 壺壶
塊块 塵尘 墊垫 妝妆 姊姐 嬌娇 孃娘 寢寝 屆届 岡冈 崗岗 嶄崭 巖岩 並并 佔占 併并 侶侣 係系 俠侠 倆俩 倫伦 偉伟 傑杰 傘伞
傭佣 僑侨 儉俭 儂侬 則则 剎刹 勁劲 匯汇 彙汇 匱匮 卻却 厭厌 厲厉 參参 叢丛 吳吴 呂吕 唄呗 啓启 啟启 喚唤 喪丧 喬乔 嘆叹
嘩哗 噸吨 囉啰 囑嘱 圍围 執执 堅坚 報报 塗涂 塢坞 墜坠 墳坟 奧奥 妳你
";

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let pair = |pair: &str| {
        let mut chars = pair.chars();
        chars.next().zip(chars.next())
    };
    PAIRS.split_whitespace().filter_map(pair).filter(|(from, to)| from != to).collect()
});

/// The simplified form of `c`, or `c` itself.
pub fn simplified(c: char) -> char {
    if matches!(c as u32, 0x4E00..=0x9FFF) { SIMPLIFIED.get(&c).copied().unwrap_or(c) } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simplified_character_is_final() {
        for pair in PAIRS.split_whitespace() {
            let chars: Vec<char> = pair.chars().collect();
            assert_eq!(chars.len(), 2, "{pair}");
            assert_eq!(simplified(chars[1]), chars[1], "{pair}: simplifying twice changes it again");
        }
        assert_eq!("電腦裡的圖書館".chars().map(simplified).collect::<String>(), "电脑里的图书馆");
    }
}
