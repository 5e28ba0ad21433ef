// An engine for Undercut in Java, without any library: docs/protocol.md. Run it with
//   undercut match rummy "engine:java examples/engines/Bot.java" random -n 20
//   undercut engine --check "java examples/engines/Bot.java"
// It plays every game, by the lists of legal actions alone: it lays down what it can, takes an open
// card one time in three, and throws its dearest card.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Bot {
    static final String RANKS = "A23456789TUOJQK";
    static final Random CHANCE = new Random(1);

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (text(line, "type")) {
                case "hello" -> say("{\"type\":\"hello\",\"protocol\":\"" + text(line, "protocol")
                    + "\",\"name\":\"Example.java\"}");
                case "game" -> say("{\"type\":\"ready\"}");
                case "go" -> say("{\"type\":\"play\",\"id\":" + number(line, "id")
                    + ",\"action\":\"" + choose(list(line, "legal")) + "\"}");
                case "quit" -> { return; }
                default -> { }  // events, of which this bot makes nothing, and later messages
            }
        }
    }

    static String choose(List<String> legal) {
        for (String verb : List.of("meld", "lay", "knock")) {
            var found = starting(legal, verb);
            if (!found.isEmpty()) {
                return found.get(0);
            }
        }
        if (legal.contains("take") && CHANCE.nextInt(3) == 0) {
            return "take";
        }
        for (String verb : List.of("play", "discard")) {
            var found = starting(legal, verb);
            if (!found.isEmpty()) {
                return found.stream().max((a, b) -> rank(a) - rank(b)).get();
            }
        }
        return legal.contains("draw") ? "draw" : legal.get(legal.size() - 1);
    }

    static List<String> starting(List<String> actions, String verb) {
        return actions.stream().filter(each -> each.startsWith(verb + " ")).toList();
    }

    /** The rank of the first card of an action such as `discard 8h`. */
    static int rank(String action) {
        return RANKS.indexOf(action.charAt(action.indexOf(' ') + 1));
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    // Messages are flat enough to be read with three patterns; a real bot has a JSON library.

    static String text(String line, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(line);
        return found.find() ? found.group(1) : "";
    }

    static int number(String line, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":(-?\\d+)").matcher(line);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    static List<String> list(String line, String name) {
        var values = new ArrayList<String>();
        Matcher found = Pattern.compile("\"" + name + "\":\\[([^\\]]*)\\]").matcher(line);
        if (found.find()) {
            Matcher each = Pattern.compile("\"([^\"]*)\"").matcher(found.group(1));
            while (each.find()) {
                values.add(each.group(1));
            }
        }
        return values;
    }
}
