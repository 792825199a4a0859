import { describeError } from '../../lib/log.ts'
import type { LogsSetting } from '../../telemetry/settings.ts'
import type { Sender } from '../../telemetry/sender.ts'
import { packageVersion } from '../versions.ts'
import type { Logs } from './index.ts'

/**
 * Sends the logs to a collector where that is asked for: then resolves with their sender, which `resources`
 * ends. Without the SDK the gateway serves all the same.
 */
export async function sendLogs(
  { otlp, access }: LogsSetting,
  logs: Pick<Logs, 'local' | 'forward'>,
  resources: AsyncDisposableStack,
): Promise<Sender | undefined> {
  if (!otlp) return undefined
  try {
    // Only a gateway that sends its logs loads OpenTelemetry.
    const { pushLogs } = await import('../../telemetry/logs/otlp.ts')
    const push = resources.use(
      await pushLogs({
        version: packageVersion(),
        onFault: (fields) =>
          logs.local.warn('the collector does not take the log: records are dropped', fields),
      }),
    )
    logs.forward((record) => push.push(record), access)
    return push
  } catch (error) {
    logs.local.error('the log is not sent to a collector', describeError(error))
    return undefined
  }
}
