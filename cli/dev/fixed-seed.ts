/** Unit tests use the same generated inputs in every run, so that failures are reproducible. */
import * as fc from 'fast-check';

fc.configureGlobal({ seed: 20_260_416 });
