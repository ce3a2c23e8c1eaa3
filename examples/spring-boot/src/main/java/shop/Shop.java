package shop;

import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application like any other: it knows nothing of Hodor. */
@SpringBootApplication
@RestController
public class Shop {
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }

  @GetMapping("/hello")
  String hello() {
    return "hello";
  }

  /** Some work for the CPU. */
  @GetMapping("/work")
  String work() {
    return Work.once();
  }

  @GetMapping("/later")
  Callable<String> later() {
    return () -> "later";
  }

  @GetMapping("/broken")
  String broken() {
    throw new IllegalStateException("broken");
  }
}
