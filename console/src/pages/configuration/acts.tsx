import { act } from '../../api/acts.ts'
import { counted } from '../../format/numbers.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { optionalText } from '../../ui/form.ts'
import { ReloadConfiguration, StartDrain } from './operations.generated.ts'

interface ActProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

interface Outcome {
  readonly processId: string
  readonly status: string
  readonly text?: string | null
}

/** Reads the configuration file again, in all processes. */
export function Reload(props: ActProps) {
  return (
    <ActDialog
      {...props}
      title="Reload the configuration"
      verb="Reload"
      isOfRecord={false}
      effect="Every process reads the file again. If one of them finds a problem, no process changes."
      run={(_, reason) =>
        act(ReloadConfiguration, { input: { ...optionalText('reason', reason) } })
      }
      done={({ processes }) => ({ text: outcomeText('reloaded', processes) })}
    />
  )
}

/** Ends a process, or all, after its calls. */
export function Drain({
  processId,
  ...rest
}: ActProps & { readonly processId: string | undefined }) {
  return (
    <ActDialog
      {...rest}
      title={
        processId === undefined ? (
          'Drain all processes'
        ) : (
          <>
            Drain <span className="mono">{processId}</span>
          </>
        )
      }
      verb="Drain"
      isOfRecord={false}
      isDangerous
      reason="required"
      {...(processId === undefined && { confirmName: 'all' })}
      effect={
        processId === undefined
          ? 'Every process refuses new requests, lets calls in flight go on for timeouts.drainMs, and ends. This page ends with them.'
          : 'It refuses new requests, lets calls in flight go on for timeouts.drainMs, and ends. A worker is replaced.'
      }
      run={(_, reason = '') =>
        act(StartDrain, { input: { reason, ...optionalText('processId', processId) } })
      }
      done={({ processes }) => ({ text: outcomeText('began to drain', processes) })}
    />
  )
}

/** `2 processes reloaded.`, and each that has not. */
function outcomeText(verb: string, processes: readonly Outcome[] | null): string {
  if (!processes) return 'What has become of it is not known.'
  const done = processes.filter(({ status }) => status === 'DONE').length
  const others = processes
    .filter(({ status }) => status !== 'DONE')
    .map(({ processId, status, text }) => `${processId}: ${text ?? status.toLowerCase()}.`)
  return [`${counted(done, 'process', 'processes')} ${verb}.`, ...others].join(' ')
}
