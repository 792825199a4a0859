import { registerHooks } from 'node:module'

/** With `--import`: the package that reads `OTEL_CONFIG_FILE` is the file beside this one. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@opentelemetry/sdk-node'
      ? { url: import.meta.resolve('./index.ts'), shortCircuit: true }
      : next(specifier, context),
})
