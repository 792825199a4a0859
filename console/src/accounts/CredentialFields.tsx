import { useState } from 'react'

import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import type { AccountStart, CredentialKind } from './account-input.ts'

const kindWords: Readonly<
  Record<CredentialKind, { readonly option: string; readonly label: string }>
> = {
  key: { option: 'an API key', label: 'Credential' },
  entra: { option: 'an application of Microsoft Entra', label: 'Client secret' },
  googleAuth: {
    option: 'a service account of Google Cloud',
    label: 'JSON of the service account',
  },
  aws: { option: 'an access key of AWS', label: 'Secret access key' },
}

/** The credential of an account: its secret is written, and never shown again. */
export function CredentialFields({
  start,
  kinds,
  hint = 'It is sealed in the store; or its place, which each process reads: env:NAME or file:/path.',
}: {
  readonly start: AccountStart
  /** What the provider takes besides a key. */
  readonly kinds: readonly Exclude<CredentialKind, 'key'>[]
  readonly hint?: string | undefined
}) {
  const [kind, setKind] = useState<CredentialKind>(
    () => kinds.find((one) => start[one] ?? false) ?? 'key',
  )
  return (
    <>
      {kinds.length > 0 && (
        <Select
          label="It signs in with"
          value={kind}
          options={(['key', ...kinds] as const).map((value) => ({
            value,
            name: kindWords[value].option,
          }))}
          onChange={(value) => setKind(value as CredentialKind)}
        />
      )}
      <input type="hidden" name="kind" value={kind} />
      {kind === 'entra' && <EntraFields entra={start.entra} />}
      {kind === 'aws' && (
        <Field
          label="Access key id"
          name="accessKeyId"
          isMono
          required
          defaultValue={textIn(start.aws, 'accessKeyId')}
        />
      )}
      <Field
        label={kindWords[kind].label}
        name="credential"
        type="password"
        autoComplete="new-password"
        isMono
        hint={hint}
      />
    </>
  )
}

function EntraFields({ entra }: Pick<AccountStart, 'entra'>) {
  return (
    <div className="form-three">
      <Field
        label="Tenant id"
        name="tenantId"
        isMono
        required
        defaultValue={textIn(entra, 'tenantId')}
      />
      <Field
        label="Client id"
        name="clientId"
        isMono
        required
        defaultValue={textIn(entra, 'clientId')}
      />
      <Field
        label="Authority"
        name="authority"
        isMono
        type="url"
        placeholder="Microsoft’s own"
        defaultValue={textIn(entra, 'authority')}
      />
    </div>
  )
}

function textIn(value: unknown, name: string): string {
  const text = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof text === 'string' ? text : ''
}
