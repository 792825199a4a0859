import { act } from '../../api/acts.ts'
import { KeyFields, readKeyFields } from '../../keys/KeyFields.tsx'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { ActTitle } from '../../ui/ActTitle.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf } from '../../ui/form.ts'
import {
  DisableKey,
  EnableKey,
  type KeyQuery,
  RevokeKey,
  RotateKey,
  UpdateKey,
} from './operations.generated.ts'

/** A key as its page has it. */
export type OneKey = NonNullable<KeyQuery['key']>

/** Properties of the dialogs of acts. */
interface KeyActProps {
  readonly apiKey: OneKey
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Rejects the key until it is enabled. */
export function Disable({ apiKey: { id }, ...rest }: KeyActProps) {
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Disable" id={id} />}
      verb="Disable"
      isDangerous
      reason="required"
      effect="Its calls get 401, in all processes, within two seconds, until it is enabled again. Calls in flight go on."
      run={(_, reason = '') => act(DisableKey, { input: { id, reason } })}
      done={() => ({ text: `${id} is disabled.`, target: id })}
    />
  )
}

/** Accepts the key again. */
export function Enable({ apiKey: { id }, ...rest }: KeyActProps) {
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Enable" id={id} />}
      verb="Enable"
      effect="It is accepted again, in all processes, within two seconds."
      run={(_, reason) => act(EnableKey, { input: { id, ...optionalText('reason', reason) } })}
      done={() => ({ text: `${id} is enabled.`, target: id })}
    />
  )
}

/** Ends the key for ever. */
export function Revoke({ apiKey: { id }, ...rest }: KeyActProps) {
  return (
    <ActDialog
      {...rest}
      title={<ActTitle verb="Revoke" id={id} />}
      verb="Revoke"
      isDangerous
      reason="required"
      confirmName={id}
      effect="Each of its secrets is rejected for ever, in all processes, within two seconds. Its id is never used again. What its clients have stored can no longer be reached."
      run={(_, reason = '') => act(RevokeKey, { input: { id, reason } })}
      done={() => ({ text: `${id} is revoked.`, target: id })}
    />
  )
}

/** Gives the key another secret. */
export function Rotate({
  apiKey,
  onSecret,
  ...rest
}: KeyActProps & { readonly onSecret: (secret: string) => void }) {
  const { id } = apiKey
  return (
    <ActDialog
      {...rest}
      of={apiKey}
      title={<ActTitle verb="Rotate" id={id} />}
      verb="Rotate"
      isDangerous
      reason="required"
      effect="It gets another secret. The former one works on for the grace period, then it is rejected."
      run={(form, reason = '', expected) => {
        const hours = Number(textOf(form, 'hours'))
        return act(RotateKey, {
          input: {
            id,
            reason,
            graceSeconds: Math.round(hours * 3_600),
            ...expected,
          },
        })
      }}
      onDone={({ secret }) => {
        onSecret(secret)
        rest.onDone()
      }}
      done={() => ({ text: `${id} has another secret.`, target: id })}
    >
      <Field
        label="Grace period in hours"
        name="hours"
        type="number"
        min="0"
        max="720"
        step="any"
        defaultValue="24"
        hint="0: the former secret ends at once."
      />
    </ActDialog>
  )
}

/** Changes the settings of the key. */
export function EditKey({ apiKey, ...rest }: KeyActProps) {
  const { id } = apiKey
  return (
    <ActDialog
      {...rest}
      of={apiKey}
      isWide
      title={<ActTitle verb="Change" id={id} />}
      verb="Change"
      effect="All processes have it within two seconds."
      run={(form, reason, expected) =>
        act(UpdateKey, {
          input: {
            id,
            ...readKeyFields(form),
            ...expected,
            ...optionalText('reason', reason),
          },
        })
      }
      done={() => ({ text: `${id} is changed.`, target: id })}
    >
      <KeyFields values={apiKey} />
    </ActDialog>
  )
}
