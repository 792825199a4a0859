import { act } from '../api/acts.ts'
import { ActDialog } from '../ui/ActDialog.tsx'
import { Field } from '../ui/Field.tsx'
import { decimal, textOf } from '../ui/form.ts'
import {
  GrantExtra as GrantExtraMutation,
  RemoveLimit as RemoveLimitMutation,
  ResetLimit as ResetLimitMutation,
} from './operations.generated.ts'
import type { LimitActProps } from './SetLimit.tsx'
import { limitName, subjectText } from './words.ts'

/** Grants a limit an amount besides its own, for a time. */
export function GrantExtra({ limit, ...rest }: LimitActProps) {
  return (
    <ActDialog
      {...rest}
      title={`Grant extra to ${nameOf(limit)}`}
      verb="Grant"
      reason="required"
      effect="It replaces what was granted before; the amount 0 ends it."
      run={(form, reason = '') =>
        act(GrantExtraMutation, {
          input: {
            id: limit.id,
            reason,
            amount: textOf(form, 'amount'),
            until: new Date(textOf(form, 'until')).toISOString(),
          },
        })
      }
      done={() => ({ text: `${nameOf(limit)} has more.`, target: limit.id })}
    >
      <div className="form-pair">
        <Field
          label={limit.kind === 'COST' ? 'Amount in US dollars' : 'Amount'}
          name="amount"
          required
          {...decimal}
        />
        <Field label="Until" name="until" type="datetime-local" required />
      </div>
    </ActDialog>
  )
}

/** Forgets what was spent in the present period. */
export function ResetLimit({ limit, ...rest }: LimitActProps) {
  return (
    <ActDialog
      {...rest}
      title={`Reset ${nameOf(limit)}`}
      verb="Reset"
      isOfRecord={false}
      reason="required"
      effect="What was spent of it in the present period is forgotten: the whole amount is there again. What calls in flight hold stays. The usage stays as it is."
      run={(_, reason = '') => act(ResetLimitMutation, { input: { id: limit.id, reason } })}
      done={() => ({ text: `${nameOf(limit)} begins again.`, target: limit.id })}
    />
  )
}

/** Removes a limit of the store. */
export function RemoveLimit({ limit, ...rest }: LimitActProps) {
  return (
    <ActDialog
      {...rest}
      of={limit}
      title={`Remove ${nameOf(limit)}`}
      verb="Remove"
      isDangerous
      reason="required"
      effect="Calls are no longer counted by it. A limit that is set again finds what was spent."
      run={(_, reason = '', expected) =>
        act(RemoveLimitMutation, { input: { id: limit.id, reason, ...expected } })
      }
      done={() => ({ text: `${nameOf(limit)} is removed.`, target: limit.id })}
    />
  )
}

function nameOf(limit: LimitActProps['limit']): string {
  return `${limitName(limit)} of ${subjectText(limit)}`
}
