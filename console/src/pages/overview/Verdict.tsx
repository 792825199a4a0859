import { Link } from '@tanstack/react-router'

import { count, counted } from '../../format/numbers.ts'
import { Bars } from '../../ui/Bars.tsx'
import { classes } from '../../ui/classes.ts'
import { ModelLink } from '../../ui/links.tsx'
import { Shape } from '../../ui/shapes.tsx'
import { Pill } from '../../ui/State.tsx'
import { type Cause, type causesOfModels, statusText } from './causes.tsx'
import type { UnservedModel } from './types.ts'
import './verdict.css'

/** What the verdict is of. */
export interface VerdictFacts {
  readonly causes: readonly Cause[]
  /** How many accounts in trouble are not among the causes. */
  readonly omitted: number
  /** How many models that clients can name fail now: no account can serve them, and no other model stands in. */
  readonly unserved: number
  /** The same by cause. Absent: the answer does not have all of these models. */
  readonly unservedBy?: ReturnType<typeof causesOfModels>
  readonly isServing: boolean
  readonly accounts: {
    readonly total: number
    readonly without: number
    readonly partly: number
    readonly disabled: number
  }
  /** Whether the answer has all: only then all is well. */
  readonly isWhole: boolean
}

/** So many causes are shown: the worst are the first. */
const mostCauses = 12

/** Does it serve? One sentence, and a row for each cause of trouble, the worst first. */
export function Verdict({
  facts,
  isLoading,
}: {
  readonly facts: VerdictFacts | undefined
  readonly isLoading: boolean
}) {
  if (!facts)
    return (
      <section className="verdict" aria-label="Verdict">
        {isLoading ? <Bars lines={2} /> : 'Whether it serves is not known.'}
      </section>
    )
  const { causes, omitted } = facts
  const more = Math.max(0, causes.length - mostCauses) + omitted
  const tone = toneOf(facts)
  return (
    <section className={classes('verdict', `verdict-${tone}`)} aria-labelledby="verdict">
      <div className="verdict-line">
        <Shape name={tone === 'ok' ? 'dot' : 'triangle'} />
        <h2 id="verdict">{sentenceOf(facts)}</h2>
        <span className="secondary">{noteOf(facts)}</span>
      </div>
      {causes.length > 0 && (
        <ul>
          {causes
            .slice(0, mostCauses)
            .map(({ id, look, subject, words, unserved, consequence }) => (
              <li key={id} className="cause">
                <span className="cause-state">
                  <Pill look={look} />
                </span>
                <span className="cause-subject">{subject}</span>
                <div className="cause-words">
                  <p>{words}</p>
                  {unserved.length > 0 && (
                    <p className="cause-bad">
                      Nobody else serves <Names names={unserved.map(({ name }) => name)} />: clients
                      get {statusesOf(unserved)}.
                    </p>
                  )}
                  {consequence !== undefined && <p className="muted">{consequence}</p>}
                </div>
              </li>
            ))}
          {more > 0 && (
            <li className="cause-more">
              <Link to="/accounts" search={{ show: 'trouble' }} className="link">
                {counted(more, 'more cause')}
              </Link>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function Names({ names }: { readonly names: readonly string[] }) {
  const shown = names.slice(0, 3)
  return (
    <>
      {shown.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <ModelLink id={name} />
        </span>
      ))}
      {names.length > shown.length && ` and ${names.length - shown.length} more`}
    </>
  )
}

/** The statuses that clients of the models get: `503`, `429 or 503`. */
function statusesOf(models: readonly UnservedModel[]): string {
  const known = models.flatMap(({ failsWith }) => failsWith ?? [])
  if (known.length < models.length) return 'an error'
  return [...new Set(known)]
    .sort((a, b) => a - b)
    .map(statusText)
    .join(' or ')
}

function toneOf({ causes, unserved, isServing, isWhole }: VerdictFacts): 'ok' | 'warn' | 'bad' {
  const isBad = !isServing || unserved > 0 || causes.some(({ id }) => id === 'store')
  if (isBad) return 'bad'
  return causes.length > 0 || !isWhole ? 'warn' : 'ok'
}

function sentenceOf({ unserved, isServing, causes, isWhole, accounts }: VerdictFacts): string {
  if (!isServing) return 'Not serving: no process is ready'
  if (unserved > 0) return `Serving, but calls of ${counted(unserved, 'model')} fail`
  if (accounts.total === 0 && isWhole) return 'Ready, but there is no account'
  if (causes.length > 0) return 'Serving, with less than all'
  return isWhole ? 'Serving' : 'Serving, as far as is known'
}

function noteOf({ accounts, unservedBy, causes, isWhole }: VerdictFacts): string {
  const notes = [unservedBy && modelsNote(unservedBy), accountsNote(accounts)].filter(Boolean)
  if (notes.length > 0) return notes.join('. ')
  if (causes.length > 0 || !isWhole || accounts.total === 0) return ''
  return 'All accounts that are not disabled serve all their calls.'
}

/** `5 models have all accounts kept out, 1 model has no account`. */
function modelsNote({
  missing,
  disabled,
  keptOut,
}: NonNullable<VerdictFacts['unservedBy']>): string {
  const has = (models: number, what: string) =>
    models > 0 && `${counted(models, 'model')} ${models === 1 ? 'has' : 'have'} ${what}`
  return [
    has(keptOut, 'all accounts kept out'),
    has(disabled, 'only disabled accounts'),
    has(missing, 'no account'),
  ]
    .filter(Boolean)
    .join(', ')
}

/** `5 of 13 accounts get no calls, 2 only some, 2 more are disabled`. */
function accountsNote({ total, without, partly, disabled }: VerdictFacts['accounts']): string {
  const of = `of ${counted(total, 'account')}`
  const get = (accounts: number) => (accounts === 1 ? 'gets' : 'get')
  const notes = [
    without > 0 && `${count(without)} ${of} ${get(without)} no calls`,
    partly > 0 &&
      (without > 0
        ? `${count(partly)} only some`
        : `${count(partly)} ${of} ${get(partly)} only some calls`),
  ].filter(Boolean)
  if (notes.length > 0 && disabled > 0)
    notes.push(`${count(disabled)} more ${disabled === 1 ? 'is' : 'are'} disabled`)
  return notes.join(', ')
}
