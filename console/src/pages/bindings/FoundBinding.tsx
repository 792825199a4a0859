import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { Definition } from '../../ui/Definition.tsx'
import { AccountLink, KeyLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { State, type StateLook } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import type { LookUpBindingQuery } from './operations.generated.ts'

type Lookup = LookUpBindingQuery['binding']
type Answer = Lookup['answers'][number]

/** The binding of an id, and the answers that its client gets now. */
export function FoundBinding({
  found: { state, reason, binding, answers, otherKeyIds },
  acts,
}: {
  readonly found: Lookup
  readonly acts: ReactNode
}) {
  return (
    <div className="found">
      {state === 'MISSING' && (
        <Notice tone="warn">
          It is unknown.{' '}
          {reason ?? 'It was never made by this key, it has expired, or it was forgotten.'}
        </Notice>
      )}
      {state === 'CANNOT_TELL' && (
        <Notice tone="bad">It is not known whether it exists. {reason}</Notice>
      )}
      {binding && (
        <Definition
          items={[
            ['Kind', binding.kind?.toLowerCase() ?? null],
            ['Key', binding.keyId && <KeyLink key="key" id={binding.keyId} />],
            [
              'Account',
              binding.accountId ? (
                <AccountLink key="account" id={binding.accountId} isGone={!binding.account} />
              ) : (
                'the gateway itself'
              ),
            ],
            ['Model', binding.model ? <code key="model">{binding.model}</code> : 'none'],
            ['Made', <Time key="made" at={binding.createdAt} />],
            [
              'Calls may continue it until',
              binding.chainUntil ? (
                <Time key="chain" at={binding.chainUntil} />
              ) : (
                'never: no call can continue it'
              ),
            ],
            ['Its id is known until', <Time key="expires" at={binding.expiresAt} />],
            ['Content', binding.isStored ? 'stored by the gateway' : 'at the account'],
            !!binding.upstreamId && [
              'Id at the account',
              <code key="id">{binding.upstreamId}</code>,
            ],
          ]}
        />
      )}
      {otherKeyIds.length > 0 && (
        <Notice>
          Of this id there is more than one. Also of the {otherKeyIds.length === 1 ? 'key' : 'keys'}{' '}
          {otherKeyIds.map((keyId) => (
            <Link
              key={keyId}
              from="/bindings"
              to="/bindings"
              search={(former) => ({ ...former, keyId })}
              className="link mono"
            >
              {keyId}
            </Link>
          ))}
        </Notice>
      )}
      {answers.length > 0 && (
        <Table
          label="What a client gets now"
          rows={answers}
          rowKey={({ use, dialect }) => `${use} ${dialect}`}
          columns={[
            {
              id: 'use',
              head: 'Call',
              isHead: true,
              cell: ({ use, dialect }: Answer) => (
                <>
                  {uses[use]} <span className="muted">in {dialect.toLowerCase()}</span>
                </>
              ),
            },
            { id: 'status', head: 'Status', cell: (answer) => <State look={lookOf(answer)} /> },
            {
              id: 'why',
              head: 'Answered by, or why not',
              cell: ({ accountId, message, code }) =>
                accountId ? <AccountLink id={accountId} /> : (message ?? code ?? 'the gateway'),
            },
          ]}
        />
      )}
      <div className="row">{acts}</div>
    </div>
  )
}

const uses = {
  CHAIN: 'Continues it',
  NAME: 'Names it',
  READ: 'Reads it',
} as const

function lookOf({ status, code }: Answer): StateLook {
  if (status < 400) return { word: String(status), shape: 'check', tone: 'ok' }
  const word = code ? `${status} ${code}` : String(status)
  return status < 500
    ? { word, shape: 'triangle', tone: 'warn' }
    : { word, shape: 'cross', tone: 'bad' }
}
