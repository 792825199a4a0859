import { type FormEvent, useState } from 'react'

import { adminUrl, consoleUrl } from '../api/base.ts'
import { ApiError } from '../api/errors.ts'
import { signIn } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { textOf } from '../ui/form.ts'
import { Mark } from '../ui/Mark.tsx'
import './sign-in.css'

/** Asks who comes. After a session has ended under an open page, it says so. */
export function SignIn({ oidc, lockedAs }: { readonly oidc: boolean; readonly lockedAs?: string }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const token = textOf(new FormData(event.currentTarget), 'token')
    setIsBusy(true)
    setProblem(undefined)
    try {
      await signIn(token)
    } catch (error) {
      setProblem(wordsOf(error))
      setIsBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <p className="brand">
        <Mark /> Dragoman
      </p>
      <h1>{lockedAs === undefined ? 'Sign in to the console' : 'Your session has ended'}</h1>
      {lockedAs !== undefined && (
        <p className="muted">
          Sign in again as <span className="mono">{lockedAs}</span> to go on where you were.
        </p>
      )}
      <form onSubmit={(event) => void submit(event)} method="post">
        <Field
          label="Admin token"
          name="token"
          type="password"
          required
          autoFocus
          problem={problem}
        />
        <Button type="submit" kind="main" disabled={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </Button>
      </form>
      {oidc && (
        <a className="button button-plain" href={organisationUrl()}>
          Sign in with your organisation
        </a>
      )}
      <p className="muted">
        Beside the gateway, <code className="nowrap">dragoman admin-tokens create</code> makes a
        token; in a checkout, <code className="nowrap">npm start -- admin-tokens create</code> does.
      </p>
    </main>
  )
}

/** Where a sign-in by OpenID Connect begins; it leads back to the page that is open. */
function organisationUrl(): string {
  const path = `/console/${location.pathname.slice(consoleUrl.pathname.length)}${location.search}`
  return `${adminUrl('session/oidc')}?return=${encodeURIComponent(path)}`
}

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The gateway does not answer as expected.'
  if (error.kind === 'signed-out') return 'This token is not valid, or no longer.'
  if (error.kind !== 'busy') return error.message
  const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1_000))
  return `${error.message} Try again in ${seconds} s.`
}
