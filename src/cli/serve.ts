import type { Invocation } from './command.ts'
import { readConfigured, type Configured } from './configured.ts'
import { withoutConfiguration } from './first-run.ts'
import { runServer } from './server.ts'
import { shutdownSignal, type ShutdownSignal } from './signals.ts'
import { startSandbox } from '../sandbox/index.ts'
import { welcome } from './welcome.ts'

/** `dragoman [serve]`: with a configuration, or with what a machine has without one. */
export async function run(invocation: Invocation): Promise<number> {
  const signal = shutdownSignal()
  const configured = await readConfigured(invocation)
  if (configured.file !== undefined) await runServer({ configured, invocation, signal })
  else await serveFirstRun(configured, invocation, signal)
  return 0
}

async function serveFirstRun(
  configured: Configured,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
): Promise<void> {
  await using sandbox = await startSandbox()
  await runServer({
    configured: withoutConfiguration(configured, invocation, sandbox.url),
    invocation,
    signal,
    prepare: (store) => welcome(store, invocation.terminal.env),
  })
}
