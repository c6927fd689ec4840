package io.fencedlease.camel.console;

import io.fencedlease.camel.report.LeaseSinks;
import io.fencedlease.camel.report.ReportedSink;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sinks of one lease, as the page has them in JSON. */
final class SinkLines {

    private SinkLines() {}

    static Map<String, Object> json(LeaseSinks sinks) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("lease", sinks.lease().value());
        json.put("open", sinks.open().size());
        json.put("overlapBoundMillis", sinks.overlap().bound().toMillis());
        sinks.overlap().measured().ifPresent(worst -> json.put("overlapMeasuredMillis", worst.toMillis()));
        json.put("sinks", sinks.sinks().stream().map(SinkLines::json).toList());
        json.put("warnings", sinks.warnings());
        return json;
    }

    private static Map<String, Object> json(ReportedSink sink) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("class", sink.kind().toString());
        json.put("open", sink.kind().isOpen());
        json.put("what", sink.what());
        json.put("where", sink.where());
        json.put("note", sink.note());
        return json;
    }
}
