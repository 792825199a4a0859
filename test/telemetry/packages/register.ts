import { registerHooks } from 'node:module'

const files: Readonly<Record<string, string>> = {
  '@opentelemetry/sdk-node': './sdk-node.ts',
  '@opentelemetry/exporter-trace-otlp-grpc': './exporter-trace-otlp-grpc.ts',
}

/** With `--import`: packages that the gateway does not bring are the files beside this one. */
registerHooks({
  resolve(specifier, context, next) {
    const file = files[specifier]
    if (file === undefined) return next(specifier, context)
    return { url: import.meta.resolve(file), shortCircuit: true }
  },
})
