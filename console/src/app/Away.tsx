import { useEffect } from 'react'

import { loadSession } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Mark } from '../ui/Mark.tsx'

/** The gateway does not say who is signed in. The page asks again by itself. */
export function Away({ message }: { readonly message: string }) {
  useEffect(() => {
    const timer = setInterval(() => void loadSession(), 5_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <main className="sign-in">
      <p className="brand">
        <Mark /> Dragoman
      </p>
      <h1>The gateway does not answer</h1>
      <p role="status">{message} The page asks again every 5 s.</p>
      <Button onClick={() => void loadSession()}>Try again</Button>
    </main>
  )
}
