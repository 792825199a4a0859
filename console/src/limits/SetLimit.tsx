import { useState } from 'react'

import { act } from '../api/acts.ts'
import { ActDialog } from '../ui/ActDialog.tsx'
import { Field } from '../ui/Field.tsx'
import { decimal, optionalText, textOf, wordsIn } from '../ui/form.ts'
import { Select } from '../ui/Select.tsx'
import { SetLimit as SetLimitMutation } from './operations.generated.ts'
import {
  type LimitKind,
  type LimitView,
  type SubjectType,
  kindNames,
  limitName,
  subjectText,
} from './words.ts'

/** Properties of the dialogs of limits. */
export interface LimitActProps {
  readonly limit: LimitView
  readonly onClose: () => void
  readonly onDone: () => void
}

const windows = [
  { value: '1m', name: 'a minute' },
  { value: '1h', name: 'an hour' },
  { value: 'day', name: 'a day' },
  { value: 'week', name: 'a week' },
  { value: 'month', name: 'a month' },
  { value: 'total', name: 'in total' },
]

/** A limit that the store has already is a conflict, which shows it. */
const noLimit = { version: 0 }

/** Sets a limit of a subject, or changes the amount and the terms of one. */
export function SetLimit({
  subject,
  limit,
  ...rest
}: Omit<LimitActProps, 'limit'> & {
  /** Absent: the form asks for it. */
  readonly subject?: LimitView['subject']
  /** The limit that is changed. */
  readonly limit?: LimitView
}) {
  const [type, setType] = useState<SubjectType>(subject?.type ?? 'KEY')
  const [kind, setKind] = useState<LimitKind>(limit?.kind ?? 'COST')
  const [window, setWindow] = useState(limit?.window ?? 'day')
  const [action, setAction] = useState(limit?.action ?? 'REFUSE')
  return (
    <ActDialog
      {...rest}
      of={limit ?? noLimit}
      isWide
      title={limit ? `Change ${limitName(limit)} of ${subjectText(limit)}` : 'Set a limit'}
      verb={limit ? 'Change' : 'Set'}
      effect="All processes have it within two seconds. What was spent of a limit of the same kind, window and models stays."
      run={(form, reason, expected) => {
        const models = limit ? (limit.models ?? []) : wordsIn(textOf(form, 'models'))
        const id = textOf(form, 'subject')
        const zone = textOf(form, 'zone')
        return act(SetLimitMutation, {
          input: {
            subject: subject
              ? { type: subject.type, ...(subject.id && { id: subject.id }) }
              : { type, ...(type !== 'GATEWAY' && { id }) },
            kind,
            amount: textOf(form, 'amount'),
            ...(kind !== 'CONCURRENT' && { window }),
            ...(zone !== '' && { zone }),
            ...(models.length > 0 && { models: [...models] }),
            ...((limit ? limit.per === 'END_USER' : form.get('per') === 'on') && {
              per: 'END_USER' as const,
            }),
            action,
            strict: form.get('strict') === 'on',
            ...(limit && { alerts: [...limit.alerts] }),
            ...expected,
            ...optionalText('reason', reason),
          },
        })
      }}
      done={({ warnings }) => ({ text: 'The limit is set.', warnings })}
    >
      {!subject && (
        <div className="form-pair">
          <Select
            label="Of"
            value={type}
            onChange={(value) => setType(value as SubjectType)}
            options={[
              { value: 'KEY', name: 'a key' },
              { value: 'TEAM', name: 'a team' },
              { value: 'ACCOUNT', name: 'an account' },
              { value: 'GATEWAY', name: 'the gateway' },
            ]}
          />
          {type !== 'GATEWAY' && <Field label="Its id" name="subject" required isMono />}
        </div>
      )}
      {!limit && (
        <div className="form-pair">
          <Select
            label="What it counts"
            value={kind}
            onChange={(value) => setKind(value as LimitKind)}
            options={Object.entries(kindNames).map(([value, name]) => ({ value, name }))}
          />
          {kind !== 'CONCURRENT' && (
            <Select label="Window" value={window} onChange={setWindow} options={windows} />
          )}
        </div>
      )}
      <div className="form-pair">
        <Field
          label={kind === 'COST' ? 'Amount in US dollars' : 'Amount'}
          name="amount"
          required
          {...decimal}
          defaultValue={limit ? String(limit.amount) : ''}
          hint="0 refuses every call."
        />
        <Select
          label="Beyond it"
          value={action}
          onChange={(value) => setAction(value as 'REFUSE' | 'WARN')}
          options={[
            { value: 'REFUSE', name: 'calls are refused' },
            { value: 'WARN', name: 'calls pass, with a warning' },
          ]}
          hint={
            kind === 'COST' && action === 'REFUSE'
              ? 'Calls of models without a price are refused too.'
              : undefined
          }
        />
      </div>
      <div className="form-pair">
        {!limit && (
          <Field
            label="Models"
            name="models"
            isMono
            placeholder="all"
            hint="Names and patterns, such as gpt-*, separated by spaces."
          />
        )}
        <Field
          label="Time zone"
          name="zone"
          isMono
          placeholder="UTC"
          defaultValue={limit && limit.zone !== 'UTC' ? limit.zone : ''}
          hint="Of days, weeks and months."
        />
      </div>
      {!limit && (
        <label className="check">
          <input type="checkbox" name="per" />
          <span>Counts each end user apart</span>
        </label>
      )}
      <label className="check">
        <input type="checkbox" name="strict" defaultChecked={limit?.strict ?? false} />
        <span>Strict: no call begins that the rest does not cover</span>
      </label>
    </ActDialog>
  )
}
