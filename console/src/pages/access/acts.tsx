import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { gatewayNow } from '../../api/clock.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionalText, textOf } from '../../ui/form.ts'
import { Select } from '../../ui/Select.tsx'
import {
  type AccessQuery,
  CreateAdminToken,
  type CreateAdminTokenMutationVariables,
  EndSession,
  RevokeAdminToken,
} from './operations.generated.ts'

/** An admin token as its page has it. */
export type AdminToken = NonNullable<AccessQuery['adminTokens']>['edges'][number]['node']

/** A session of a browser. */
export type AdminSession = NonNullable<AccessQuery['sessions']>['edges'][number]['node']

interface ActProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

type RoleInput = CreateAdminTokenMutationVariables['input']['role']

const dayMs = 86_400_000

/** Creates an admin token. Its secret is in the answer only. */
export function AddToken({
  onSecret,
  ...rest
}: ActProps & {
  readonly onSecret: (made: { readonly id: string; readonly secret: string }) => void
}) {
  const [role, setRole] = useState<RoleInput>('VIEWER')
  return (
    <ActDialog
      {...rest}
      title="Create an admin token"
      verb="Create"
      effect="All processes accept it within two seconds. It signs in to the console, and to the API as a bearer."
      run={(form, reason) =>
        act(CreateAdminToken, {
          input: {
            id: textOf(form, 'id'),
            role,
            expiresAt: new Date(gatewayNow() + Number(textOf(form, 'days')) * dayMs).toISOString(),
            ...optionalText('reason', reason),
          },
        })
      }
      onDone={({ token, secret }) => {
        onSecret({ id: token?.id ?? '', secret })
        rest.onDone()
      }}
      done={({ token }) => ({
        text: `The admin token ${token?.id ?? ''} is created.`,
        ...(token && { target: token.id }),
      })}
    >
      <Field
        label="Id"
        name="id"
        required
        isMono
        hint="Who or what uses it. It is in the audit log."
      />
      <div className="form-pair">
        <Select
          label="Role"
          value={role}
          onChange={(value) => setRole(value as RoleInput)}
          options={roles.map(({ role, may }) => ({
            value: role,
            name: `${role.toLowerCase()}: ${may}`,
          }))}
        />
        <Field
          label="Ends in days"
          name="days"
          type="number"
          min="1"
          max="3650"
          required
          defaultValue="90"
        />
      </div>
    </ActDialog>
  )
}

const roles: readonly { readonly role: RoleInput; readonly may: string }[] = [
  { role: 'VIEWER', may: 'sees' },
  { role: 'OPERATOR', may: 'sees and steers' },
  { role: 'ADMIN', may: 'may do all' },
]

/** Revokes an admin token for ever. */
export function RevokeToken({ token: { id }, ...rest }: ActProps & { readonly token: AdminToken }) {
  return (
    <ActDialog
      {...rest}
      title={
        <>
          Revoke <span className="mono">{id}</span>
        </>
      }
      verb="Revoke"
      isDangerous
      reason="required"
      confirmName={id}
      effect="It is rejected for ever, in all processes, within two seconds. Its sessions end."
      run={(_, reason = '') => act(RevokeAdminToken, { input: { id, reason } })}
      done={() => ({ text: `The admin token ${id} is revoked.`, target: id })}
    />
  )
}

/** Ends a session of a browser. */
export function End({
  session: { id, principalId, isCurrent },
  ...rest
}: ActProps & { readonly session: AdminSession }) {
  return (
    <ActDialog
      {...rest}
      title={`End ${isCurrent ? 'your' : 'the'} session of ${principalId}`}
      verb="End"
      isOfRecord={false}
      isDangerous
      effect={isCurrent ? 'It is this one: you sign in again.' : 'Its pages are locked at once.'}
      run={(_, reason) => act(EndSession, { input: { id, ...optionalText('reason', reason) } })}
      done={() => ({ text: 'The session has ended.', target: id })}
    />
  )
}
