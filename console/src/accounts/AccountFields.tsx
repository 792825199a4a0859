import { useId, useState } from 'react'

import { useAnswer } from '../api/query.ts'
import { Field } from '../ui/Field.tsx'
import { AnswerNotices } from '../ui/Notice.tsx'
import { Combobox } from '../ui/Select.tsx'
import { type AccountStart, textOfBaseUrls } from './account-input.ts'
import { CredentialFields } from './CredentialFields.tsx'
import { Providers } from './operations.generated.ts'

/** The fields of an account, but for its id: those that its provider takes. */
export function AccountFields({
  start = {},
  credentialHint,
}: {
  readonly start?: AccountStart
  readonly credentialHint?: string
}) {
  const page = useAnswer(Providers, {})
  const [name, setName] = useState(start.provider ?? '')
  const providers = page.data?.providers ?? []
  const provider = providers.find((one) => one.name === name)
  const takes = (field: string) =>
    provider?.fields.includes(field) ?? Object.hasOwn(givenOf(start), field)
  return (
    <>
      <AnswerNotices page={page} names={{ providers: 'the providers' }} />
      <div className="form-pair">
        <Combobox
          label="Provider"
          name="provider"
          required
          options={providers.map((one) => one.name)}
          defaultValue={start.provider}
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
        <Field
          label="Base URL"
          name="baseUrl"
          isMono
          type="url"
          required={provider?.needsBaseUrl ?? false}
          hint={
            provider?.needsBaseUrl
              ? 'As the SDK of its API expects it.'
              : 'Empty: the provider’s own.'
          }
          defaultValue={start.baseUrl ?? ''}
        />
      </div>
      <PlaceFields start={start} takes={takes} />
      <CredentialFields
        key={name}
        start={start}
        kinds={kindNames.filter(takes)}
        hint={credentialHint}
      />
      <ModelsField models={start.models} />
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
      <MoreFields start={start} takes={takes} />
    </>
  )
}

/** The kinds of credentials besides a key. */
const kindNames = ['entra', 'googleAuth', 'aws'] as const

/** What the account has already: it is shown also while the providers are not known. */
function givenOf(start: AccountStart): object {
  return Object.fromEntries(Object.entries(start).filter(([, value]) => value ?? false))
}

interface PartProps {
  readonly start: AccountStart
  /** Whether accounts of the provider have such a field. */
  readonly takes: (field: string) => boolean
}

const places = [
  { name: 'region', label: 'Region', isRequired: true, hint: 'Such as eu-central-1.' },
  { name: 'project', label: 'Project', hint: 'Empty only with an API key of the express mode.' },
  { name: 'location', label: 'Location', hint: 'A region, global, us or eu. Empty: global.' },
  {
    name: 'apiVersion',
    label: 'API version',
    hint: 'Such as 2024-10-21, with deployments. Empty: the v1 API.',
  },
] as const

/** Where in a cloud the account is. */
function PlaceFields({ start, takes }: PartProps) {
  const taken = places.filter(({ name }) => takes(name))
  if (taken.length === 0) return null
  return (
    <div className="form-pair">
      {taken.map(({ name, label, hint, ...one }) => (
        <Field
          key={name}
          label={label}
          name={name}
          isMono
          required={'isRequired' in one}
          hint={hint}
          defaultValue={start[name] ?? ''}
        />
      ))}
    </div>
  )
}

function ModelsField({ models }: Pick<AccountStart, 'models'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Models</label>
      <textarea
        id={id}
        name="models"
        className="input mono"
        rows={3}
        spellCheck={false}
        required
        defaultValue={models}
        aria-describedby={`${id}-hint`}
      />
      <p className="secondary" id={`${id}-hint`}>
        One a line. A pattern such as <code>gpt-*</code> stands for many;{' '}
        <code>name = own-name</code> says the account's own name of a model.
      </p>
    </div>
  )
}

/** What few accounts have. */
function MoreFields({ start, takes }: PartProps) {
  const id = useId()
  const { id: guardrailId, version } = (start.guardrail ?? {}) as Record<string, string>
  return (
    <details className="form-more">
      <summary>More</summary>
      <div className="field">
        <label htmlFor={id}>Addresses of single dialects</label>
        <textarea
          id={id}
          name="baseUrls"
          className="input mono"
          rows={2}
          spellCheck={false}
          defaultValue={textOfBaseUrls(start.baseUrls)}
          aria-describedby={`${id}-hint`}
        />
        <p className="secondary" id={`${id}-hint`}>
          One a line, such as <code>messages = https://llm.example.com/anthropic</code>.
        </p>
      </div>
      {takes('anthropicVersion') && (
        <Field
          label="Version of Claude’s API"
          name="anthropicVersion"
          isMono
          hint="Sent as anthropic_version. Empty: the version of the cloud."
          defaultValue={start.anthropicVersion ?? ''}
        />
      )}
      {takes('guardrail') && (
        <div className="form-pair">
          <Field
            label="Guardrail"
            name="guardrailId"
            isMono
            hint="Its id: for every request. Empty: none."
            defaultValue={guardrailId}
          />
          <Field
            label="Version of the guardrail"
            name="guardrailVersion"
            isMono
            placeholder="DRAFT"
            defaultValue={version}
          />
        </div>
      )}
    </details>
  )
}
