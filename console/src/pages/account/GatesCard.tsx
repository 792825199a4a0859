import { Link } from '@tanstack/react-router'

import { InForceLine } from '../../processes/InForceLine.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { classes } from '../../ui/classes.ts'
import { Shape, type ShapeName } from '../../ui/shapes.tsx'
import { Countdown, Time } from '../../ui/Time.tsx'
import type { Gate, GateAct } from './gates.ts'
import './gates.css'

const shapes: Readonly<Record<Gate['state'], ShapeName>> = {
  open: 'check',
  partly: 'half',
  shut: 'cross',
  unreached: 'dash',
  note: 'half',
}

const spoken: Readonly<Record<Gate['state'], string>> = {
  open: 'Passes calls',
  partly: 'Passes some calls',
  shut: 'Passes no call',
  unreached: 'Not reached',
  note: 'Note',
}

const verbs: Readonly<Record<GateAct, string>> = {
  enable: 'Enable',
  tryNow: 'Try now',
  endPause: 'End the pause',
  resetCircuit: 'Reset it',
}

/** Why the account gets calls, only some, or none: the gates in the order in which the gateway asks them. */
export function GatesCard({
  title,
  gates,
  whyNot,
  onAct,
}: {
  readonly title: string
  readonly gates: readonly Gate[]
  /** Why the user may not act. */
  readonly whyNot: string | undefined
  readonly onAct: (act: GateAct) => void
}) {
  return (
    <Card isFlush title={title}>
      <ol className="gates">
        {gates.map(({ id, name, state, words, until, failures = [], act, isOfRecord }) => (
          <li key={id} className={classes('gate', `gate-${state}`)}>
            <Shape name={shapes[state]} />
            <strong>
              <span className="hidden-label">{spoken[state]}: </span>
              {name}
            </strong>
            <div className="gate-words">
              <p>
                {words}
                {until !== undefined && (
                  <>
                    {' '}
                    <span className="nowrap">
                      Tried again in <Countdown until={until} />.
                    </span>
                  </>
                )}
              </p>
              {isOfRecord && <InForceLine />}
              {failures.map(({ exchangeId, cause, at }) => (
                <p key={exchangeId} className="gate-failure">
                  <Time at={at} />{' '}
                  <Link to="/calls/$id" params={{ id: exchangeId }} className="link">
                    A call {cause}
                  </Link>
                </p>
              ))}
            </div>
            {act && (state === 'shut' || state === 'partly') && (
              <Button isSmall whyNot={whyNot} onClick={() => onAct(act)}>
                {verbs[act]}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
