import { registerHooks } from 'node:module'

/** With `--import`: a process says on standard error which packages of OpenTelemetry it loads. */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) process.stderr.write(`loads ${specifier}\n`)
    return next(specifier, context)
  },
})
