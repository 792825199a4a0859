import { useId } from 'react'

import { Field } from '../ui/Field.tsx'
import { Combobox } from '../ui/Select.tsx'

/** What the fields begin with. */
export interface AccountFieldsStart {
  readonly provider?: string
  readonly baseUrl?: string | null | undefined
  readonly models?: string
  readonly priority?: number | null | undefined
  readonly weight?: number | null | undefined
  readonly maxConcurrent?: number | null | undefined
}

const providers = ['openai', 'anthropic', 'gemini', 'openai-compatible', 'sandbox']

/** The fields of an account, but for its id and its credential. */
export function AccountFields({ start = {} }: { readonly start?: AccountFieldsStart }) {
  const id = useId()
  return (
    <>
      <div className="form-pair">
        <Combobox
          label="Provider"
          name="provider"
          required
          options={providers}
          defaultValue={start.provider}
        />
        <Field
          label="Base URL"
          name="baseUrl"
          isMono
          type="url"
          hint="Empty: the provider's own."
          defaultValue={start.baseUrl ?? ''}
        />
      </div>
      <div className="field">
        <label htmlFor={id}>Models</label>
        <textarea
          id={id}
          name="models"
          className="input mono"
          rows={3}
          spellCheck={false}
          required
          defaultValue={start.models}
          aria-describedby={`${id}-hint`}
        />
        <p className="secondary" id={`${id}-hint`}>
          One a line. A pattern such as <code>gpt-*</code> stands for many;{' '}
          <code>name = own-name</code> says the account's own name of a model.
        </p>
      </div>
      <div className="form-three">
        <Field
          label="Priority"
          name="priority"
          type="number"
          step={1}
          hint="Lower comes first."
          defaultValue={start.priority ?? ''}
        />
        <Field
          label="Weight"
          name="weight"
          type="number"
          step="any"
          min={0.000001}
          hint="Share of its priority."
          defaultValue={start.weight ?? ''}
        />
        <Field
          label="Most calls at once"
          name="maxConcurrent"
          type="number"
          min={1}
          step={1}
          hint="Of each process. Empty: no limit."
          defaultValue={start.maxConcurrent ?? ''}
        />
      </div>
    </>
  )
}

/** The field of a credential: it is written, and never shown again. */
export function CredentialField({
  isRequired = false,
  hint,
}: {
  readonly isRequired?: boolean
  readonly hint?: string
}) {
  return (
    <Field
      label="Credential"
      name="credential"
      type="password"
      autoComplete="new-password"
      isMono
      required={isRequired}
      hint={
        hint ?? 'The API key of the provider, or its place: env:NAME or file:/path of each process.'
      }
    />
  )
}
