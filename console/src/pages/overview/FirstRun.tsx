import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Shape } from '../../ui/shapes.tsx'
import './first-run.css'

/** What a gateway needs before it serves a call; a tick for each that is there. */
export function FirstRun({
  hasAccount,
  hasKey,
  hasCall,
  onDone,
}: {
  readonly hasAccount: boolean
  readonly hasKey: boolean
  readonly hasCall: boolean
  readonly onDone: () => void
}) {
  return (
    <Card
      title="Three steps to the first call"
      aside={
        <Button isSmall onClick={onDone}>
          Hide the steps
        </Button>
      }
    >
      <ol className="first-run">
        <Step isDone={hasAccount} name="An account">
          A credential at a provider. <StepLink to="/accounts">Add an account</StepLink>, or name
          one in the configuration file.
        </Step>
        <Step isDone={hasKey} name="A key">
          Clients call the gateway with it. <StepLink to="/keys">Create a key</StepLink>.
        </Step>
        <Step isDone={hasCall} name="The first call">
          <StepLink to="/playground">Call a model in the Playground</StepLink>, or set up a client:
          the Playground has the lines for SDKs and agents.
        </Step>
      </ol>
    </Card>
  )
}

function Step({
  isDone,
  name,
  children,
}: {
  readonly isDone: boolean
  readonly name: string
  readonly children: ReactNode
}) {
  return (
    <li className={isDone ? 'first-run-done' : undefined}>
      <Shape name={isDone ? 'check' : 'ring'} />
      <div>
        <strong>{name}</strong>
        <span className="hidden-label">{isDone ? ': done' : ': to do'}</span>
        <p className="secondary">{children}</p>
      </div>
    </li>
  )
}

function StepLink({
  to,
  children,
}: {
  readonly to: '/accounts' | '/keys' | '/playground'
  readonly children: ReactNode
}) {
  return (
    <Link to={to} className="link">
      {children}
    </Link>
  )
}
