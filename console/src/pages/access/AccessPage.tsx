import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useMay, useWhyNot } from '../../api/session.ts'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { type AdminSession, AddToken, type AdminToken, End, RevokeToken } from './acts.tsx'
import { sessionColumns, tokenColumns } from './columns.tsx'
import { Access } from './operations.generated.ts'

type Open =
  | { readonly act: 'add' }
  | { readonly act: 'revoke'; readonly token: AdminToken }
  | { readonly act: 'end'; readonly session: AdminSession }

const route = getRouteApi('/access')

/** Who may operate the gateway, and who is signed in? */
export function AccessPage() {
  const { tokens: afterToken, sessions: afterSession } = route.useSearch()
  const navigate = useNavigate({ from: '/access' })
  const isAdmin = useMay('admin')
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  const page = useAnswer(
    Access,
    { tokens: afterToken ?? null, sessions: afterSession ?? null },
    { every: 15_000 },
  )
  useChanges(['TOKENS', 'AUDIT'], page.refresh)
  const { adminTokens, sessions } = page.data ?? {}
  const dialog = { onClose: () => setOpen(undefined), onDone: page.refresh }
  const whyNot = useWhyNot('createAdminToken')
  return (
    <>
      <PageHead
        title="Access"
        acts={
          <>
            {isAdmin && (
              <a className="button button-plain" href="../graphiql">
                GraphiQL
              </a>
            )}
            <Button kind="main" whyNot={whyNot} onClick={() => setOpen({ act: 'add' })}>
              Create a token
            </Button>
          </>
        }
      />
      <AnswerNotices
        page={page}
        names={{ adminTokens: 'the admin tokens', sessions: 'the sessions' }}
      />
      <div className="stack">
        <ListCard
          title="Admin tokens"
          label="Admin tokens"
          page={page}
          field="adminTokens"
          list={adminTokens}
          rowKey={({ id }) => id}
          columns={tokenColumns(whyNot, (token) => setOpen({ act: 'revoke', token }))}
          empty={<Empty title="There is no admin token" />}
          after={afterToken}
          onPage={(tokens) => void navigate({ search: (former) => ({ ...former, tokens }) })}
        />
        <ListCard
          title={isAdmin ? 'Sessions' : 'Your session'}
          label="Sessions"
          page={page}
          field="sessions"
          list={sessions}
          rowKey={({ id }) => id}
          columns={sessionColumns((session) => setOpen({ act: 'end', session }))}
          empty={<Empty title="There is no session" />}
          after={afterSession}
          onPage={(sessions) => void navigate({ search: (former) => ({ ...former, sessions }) })}
        />
      </div>
      {open?.act === 'add' && <AddToken {...dialog} onSecret={setMade} />}
      {open?.act === 'revoke' && <RevokeToken {...dialog} token={open.token} />}
      {open?.act === 'end' && <End {...dialog} session={open.session} />}
      {made && (
        <SecretDialog
          title={`The admin token ${made.id}`}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}
