import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.DataSubset;
import org.deidentifier.arx.criteria.AverageReidentificationRisk;
import org.deidentifier.arx.criteria.BasicBLikeness;
import org.deidentifier.arx.criteria.DDisclosurePrivacy;
import org.deidentifier.arx.criteria.DPresence;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EnhancedBLikeness;
import org.deidentifier.arx.criteria.EntropyLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.HierarchicalDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.criteria.KMap;
import org.deidentifier.arx.criteria.PrivacyCriterion;
import org.deidentifier.arx.criteria.RecursiveCLDiversity;
import org.deidentifier.arx.metric.Metric;

/**
 * Runs ARX on cases given as lines of key=value pairs, separated by tabs, and prints one line for each: its name, the
 * least CPU seconds of the searching thread, the loss and the levels. What is timed goes from rows in memory to a
 * readable output: encoding, search, and the output of the best transformation.
 */
public class RunArx {

    private static final Map<String, String[][]> ROWS = new HashMap<>();

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null;) {
            Map<String, String> given = new HashMap<>();
            for (String pair : line.split("\t")) {
                given.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
            System.out.println(run(given));
            System.out.flush();
        }
    }

    private static String run(Map<String, String> given) throws Exception {
        double least = Double.MAX_VALUE;
        String found = "";
        int warm = Integer.parseInt(given.get("warm"));
        for (int i = 0; i < warm + Integer.parseInt(given.get("repeats")); i++) {
            Data data = data(given);
            ARXConfiguration config = config(given, data);
            System.gc();
            long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            ARXResult result = new ARXAnonymizer().anonymize(data, config);
            DataHandle output = result.getOutput(false);
            long ended = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            if (i >= warm) least = Math.min(least, (ended - began) / 1e9);
            if (output == null) {
                found = "none\tnone";
            } else {
                List<String> shown = new ArrayList<>();
                for (String name : given.get("quasi").split(",")) {
                    shown.add("" + result.getGlobalOptimum().getGeneralization(name));
                }
                found = result.getGlobalOptimum().getHighestScore() + "\t" + String.join(",", shown);
            }
        }
        return String.format(Locale.ROOT, "%s\t%.6f\t%s", given.get("name"), least, found);
    }

    private static String[][] rows(String path) throws Exception {
        if (!ROWS.containsKey(path)) {
            List<String[]> rows = new ArrayList<>();
            for (String line : Files.readAllLines(Paths.get(path), StandardCharsets.UTF_8)) rows.add(line.split(";"));
            ROWS.put(path, rows.toArray(new String[0][]));
        }
        return ROWS.get(path);
    }

    private static Data data(Map<String, String> given) throws Exception {
        Data data = Data.create(rows(given.get("data")));
        for (String name : rows(given.get("data"))[0]) {
            data.getDefinition().setAttributeType(name, AttributeType.INSENSITIVE_ATTRIBUTE);
        }
        for (String name : given.get("quasi").split(",")) {
            data.getDefinition().setAttributeType(name, hierarchy(given, name));
        }
        if (given.containsKey("sensitive")) {
            data.getDefinition().setAttributeType(given.get("sensitive"), AttributeType.SENSITIVE_ATTRIBUTE);
        }
        return data;
    }

    private static Hierarchy hierarchy(Map<String, String> given, String name) throws Exception {
        return Hierarchy.create(rows(given.get("hierarchies").replace("*", name)));
    }

    private static ARXConfiguration config(Map<String, String> given, Data data) throws Exception {
        ARXConfiguration config = ARXConfiguration.create();
        config.setSuppressionLimit(Double.parseDouble(given.get("suppress")));
        config.setQualityModel(metric(given.get("loss")));
        DataSubset subset = null;
        if (given.containsKey("sample")) {
            Set<Integer> sample = new HashSet<>();
            for (String row : Files.readAllLines(Paths.get(given.get("sample")))) sample.add(Integer.parseInt(row.trim()));
            subset = DataSubset.create(data, sample);
        }
        for (String model : given.get("models").split(" ")) {
            String[] parts = model.split(":");
            double[] numbers = Arrays.stream(parts).skip(1).mapToDouble(Double::parseDouble).toArray();
            config.addPrivacyModel(model(parts[0], numbers, given, subset));
        }
        return config;
    }

    private static PrivacyCriterion model(String name, double[] n, Map<String, String> given, DataSubset subset)
            throws Exception {
        String sensitive = given.get("sensitive");
        switch (name) {
            case "k-anonymity": return new KAnonymity((int) n[0]);
            case "k-map": return new KMap((int) n[0], subset);
            case "delta-presence": return new DPresence(n[0], n[1], subset);
            case "l-diversity": return new DistinctLDiversity(sensitive, (int) n[0]);
            case "entropy-l-diversity": return new EntropyLDiversity(sensitive, n[0]);
            case "recursive-l-diversity": return new RecursiveCLDiversity(sensitive, n[0], (int) n[1]);
            case "t-closeness-equal": return new EqualDistanceTCloseness(sensitive, n[0]);
            case "t-closeness-hierarchical":
                return new HierarchicalDistanceTCloseness(sensitive, n[0], hierarchy(given, sensitive));
            case "beta-likeness": return new BasicBLikeness(sensitive, n[0]);
            case "enhanced-beta-likeness": return new EnhancedBLikeness(sensitive, n[0]);
            case "delta-disclosure": return new DDisclosurePrivacy(sensitive, n[0]);
            case "average-risk": return new AverageReidentificationRisk(n[0]);
            default: throw new IllegalArgumentException(name);
        }
    }

    private static Metric<?> metric(String name) {
        switch (name) {
            case "loss": return Metric.createLossMetric();
            case "entropy": return Metric.createEntropyMetric(false);
            case "precision": return Metric.createPrecisionMetric(false);
            case "height": return Metric.createHeightMetric();
            case "discernibility": return Metric.createDiscernabilityMetric(false);
            case "class-size": return Metric.createAECSMetric();
            case "ambiguity": return Metric.createAmbiguityMetric();
            default: throw new IllegalArgumentException(name);
        }
    }
}
