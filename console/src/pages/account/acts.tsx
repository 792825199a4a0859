import { act } from '../../api/acts.ts'
import { counted } from '../../format/numbers.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { ActTitle } from '../../ui/ActTitle.tsx'
import { optionalText } from '../../ui/form.ts'
import type { GateAct } from './gates.ts'
import {
  ClearCoolDown,
  DeleteAccount,
  DisableAccount,
  EnableAccount,
  ResetCircuit,
} from './operations.generated.ts'
import type { OneAccount } from './types.ts'

/** Properties of the dialogs of acts. */
export interface AccountActProps {
  readonly account: OneAccount
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Keeps calls from the account. */
export function Disable({ account: { id, inFlight }, ...rest }: AccountActProps) {
  const calls =
    inFlight === 0
      ? 'No call is in flight at it now.'
      : `${counted(inFlight, 'call')} ${inFlight === 1 ? 'is' : 'are'} in flight at it now.`
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Disable" id={id} />}
      verb="Disable"
      isDangerous
      reason="required"
      effect={`It gets no new calls, in all processes, within two seconds. ${calls} Conversations that it owns get 503 until it is enabled again.`}
      run={(form, reason = '') =>
        act(DisableAccount, { input: { id, reason, drain: form.get('drain') === 'on' } })
      }
      done={({ running }) => ({
        text: `${id} is disabled. ${running === 0 ? 'No call was in flight.' : `${counted(running, 'call')} ran at it.`}`,
        target: id,
      })}
    >
      <label className="check">
        <input type="checkbox" name="drain" defaultChecked />
        <span>Let the calls in flight end by themselves</span>
      </label>
    </ActDialog>
  )
}

/** Lets calls to the account again. */
export function Enable({ account: { id }, ...rest }: AccountActProps) {
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Enable" id={id} />}
      verb="Enable"
      effect="It gets calls again, in all processes, within two seconds."
      run={(_, reason) => act(EnableAccount, { input: { id, ...optionalText('reason', reason) } })}
      done={() => ({ text: `${id} is enabled.`, target: id })}
    />
  )
}

/** Ends pauses and refusals, so that the next calls try the account. */
function EndPauses({
  account: { id },
  isPause,
  ...rest
}: AccountActProps & { readonly isPause: boolean }) {
  return (
    <ActDialog
      {...rest}
      title={
        isPause ? (
          <ActTitle verb="End the pauses of" id={id} />
        ) : (
          <>
            <ActTitle verb="Try" id={id} /> now
          </>
        )
      }
      verb={isPause ? 'End' : 'Try now'}
      isOfRecord={false}
      effect="Its pauses and refusals end, in all processes. The next calls show whether it works: some clients may get its errors."
      run={(_, reason) => act(ClearCoolDown, { input: { id, ...optionalText('reason', reason) } })}
      done={({ ended }) => ({
        text: `${counted(ended, 'pause or refusal', 'pauses and refusals')} of ${id} ended.`,
        target: id,
      })}
    />
  )
}

/** Ends that circuits keep calls from the account. */
function ResetCircuits({ account: { id }, ...rest }: AccountActProps) {
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Reset the circuits of" id={id} />}
      verb="Reset"
      isOfRecord={false}
      effect="Its circuits let calls pass again, in all processes. The next calls show whether it works: some clients may get its errors."
      run={(_, reason) => act(ResetCircuit, { input: { id, ...optionalText('reason', reason) } })}
      done={({ ended }) => ({
        text: `${counted(ended, 'circuit')} of ${id} ${ended === 1 ? 'is' : 'are'} reset.`,
        target: id,
      })}
    />
  )
}

/** Deletes the account from the store. */
export function Delete({ account, ...rest }: AccountActProps) {
  const { id, inFlight, credential } = account
  const goes =
    credential.source === 'STORE' ? 'Its record and its sealed credential go.' : 'Its record goes.'
  const calls =
    inFlight === 0
      ? 'No call is in flight at it now.'
      : `${counted(inFlight, 'call')} in flight ${inFlight === 1 ? 'goes' : 'go'} on.`
  return (
    <ActDialog
      {...rest}
      of={account}
      title={<ActTitle verb="Delete" id={id} />}
      verb="Delete"
      isDangerous
      reason="required"
      confirmName={id}
      effect={`${goes} ${calls} What it owns stays bound to its id: those conversations get 503 until an account of this id exists again.`}
      run={(_, reason = '', expected) => act(DeleteAccount, { input: { id, reason, ...expected } })}
      done={() => ({ text: `${id} is deleted.`, target: id })}
    />
  )
}

/** The dialog of an act that opens a gate. */
export function GateActDialog({ act, ...rest }: AccountActProps & { readonly act: GateAct }) {
  if (act === 'enable') return <Enable {...rest} />
  if (act === 'resetCircuit') return <ResetCircuits {...rest} />
  return <EndPauses {...rest} isPause={act === 'endPause'} />
}
