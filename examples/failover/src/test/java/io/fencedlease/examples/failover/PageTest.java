package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page of a recorded run. */
class PageTest {

    private final DemoOptions options = DemoOptions.parse(List.of());
    private final RecordedRun run = RecordedRun.fenced();

    @Test
    void needsNothingFromAnywhere() {
        assertThat(page(run, options)).doesNotContain("http", "<script", "<link", "<img", "@import", "url(//");
    }

    @Test
    void leavesNoPlaceholderAndEscapesWhatItQuotes() {
        assertThat(page(run, options))
                .doesNotContainPattern("@[a-z]+@")
                .contains("the demo &lt;begins&gt;")
                .doesNotContain("<begins>");
    }

    @Test
    void hasALaneForEachNodeATenureForEachTokenAndAMarkForEachWrite() throws Exception {
        Document svg = svg(run);

        assertThat(count(svg, "rect", "lane")).isEqualTo(2);
        assertThat(texts(svg))
                .contains("node A", "node B", "token 7", "token 9", "ledger", "paused", "refused", "5.0 s");
        assertThat(count(svg, "rect", "pause")).isEqualTo(1);
        assertThat(count(svg, "path", "refused")).isEqualTo(1);
        assertThat(count(svg, "line", "hand")).isEqualTo(1);
        // the bar, and each accepted write once in its node's lane and once in the ledger's
        assertThat(count(svg, "rect", "c0")).isEqualTo(1 + 2 * 2);
        assertThat(count(svg, "rect", "c1")).isEqualTo(1 + 2 * 2);
        assertThat(count(svg, "rect", "stale")).isZero();
    }

    @Test
    void marksAStaleWriteInBothPlaces() throws Exception {
        assertThat(count(svg(RecordedRun.unfenced()), "rect", "stale")).isEqualTo(2);
    }

    @Test
    void listsTheDamageOfAnUnfencedRun() {
        String page = page(RecordedRun.unfenced(), DemoOptions.parse(List.of("--unfenced")));

        assertThat(page).contains("DAMAGE SHOWN", "batch 3 was closed 2 times");
    }

    @Test
    void canBeDrawnForARunThatEndedBeforeItBegan() {
        assertThat(page(new RecordedRun(), options)).contains("</svg>");
    }

    private static String page(RecordedRun run, DemoOptions options) {
        return Page.of(options, run.events, run.handovers, run.verdict(), true);
    }

    private static Document svg(RecordedRun run) throws Exception {
        String svg = Drawing.of(run.events, run.handovers);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static long count(Document svg, String tag, String style) {
        NodeList all = svg.getElementsByTagName(tag);
        return java.util.stream.IntStream.range(0, all.getLength())
                .filter(i -> ((org.w3c.dom.Element) all.item(i))
                        .getAttribute("class")
                        .equals(style))
                .count();
    }

    private static List<String> texts(Document svg) {
        NodeList all = svg.getElementsByTagName("text");
        return java.util.stream.IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent())
                .toList();
    }
}
