import { z } from 'zod'

import { type LimitSubject, type TeamSetting, limitKinds } from '../contract/quota.ts'
import type { Problem } from '../contract/problems.ts'
import { quotaProblem, limitId } from '../limits/compile.ts'
import { repeatedIds } from './check-names.ts'
import { isHttpUrl } from './endpoints.ts'
import {
  expects,
  flag,
  identifier,
  modelNames,
  optional,
  required,
  secret,
} from './schema-nodes.ts'
import { checkShape } from './shape.ts'

const decimalText = z
  .string()
  .regex(/^[0-9]{1,15}(?:\.[0-9]{1,9})?$/)
  .meta({ pattern: String.raw`^[0-9]{1,15}(\.[0-9]{1,9})?$` })

const amount = z
  .union([z.number().min(0), decimalText])
  .meta(expects('a number from 0, for cost in USD with at most 9 decimals', 100))

const share = z.number().gt(0).max(1).meta(expects('a share above 0, at most 1', 0.8))

/** The schema of a quota. `quotaProblems` checks what concerns several of its members. */
export const quotaSchema = z
  .strictObject({
    kind: required(
      z.enum(limitKinds).meta(expects(`one of ${limitKinds.join(', ')}`, 'requests')),
      'What is counted: calls, tokens, tokens of prompts, tokens of replies, USD, or calls at once.',
    ),
    amount: required(
      amount,
      'The most in a window: a whole number, or for `cost` USD with at most 9 decimals. 0 refuses every call.',
    ),
    window: optional(
      z
        .string()
        .regex(/^(?:[1-9]\d{0,4}[smhd]|day|week|month|total)$/)
        .meta({
          ...expects('1s, 1m, 1h, 12h, 30d and the like, day, week, month or total', 'day'),
          pattern: '^([1-9][0-9]{0,4}[smhd]|day|week|month|total)$',
        }),
      'The time of the amount. Up to `1h`, requests and tokens have [a rate](limits.md#rates), which knows no edges; all else is [a budget](limits.md#budgets): days, weeks (from Monday) and months in `zone`, other times from 1970 on, or `total`.',
      '`total` for `cost`, otherwise `1m`; calls at once have none',
    ),
    models: optional(
      modelNames,
      'Names and patterns of the models whose calls are counted, after aliases.',
      'all models',
    ),
    per: optional(
      z.literal('endUser').meta(expects("'endUser'", 'endUser')),
      '`endUser`: each end user has the amount. Requests name end users in `user`, `safety_identifier` or `metadata.user_id`; without one of them they are one user together.',
      'all calls together',
    ),
    action: optional(
      z.enum(['refuse', 'warn']).meta(expects("'refuse' or 'warn'", 'warn')),
      '`warn` counts, logs what it would have refused, and refuses nothing.',
      '`refuse`',
    ),
    alerts: optional(
      z
        .array(share)
        .max(10)
        .meta(expects('a list of at most 10 shares', [0.5, 0.8, 1])),
      'Shares of a budget at which [operators are alerted](limits.md#alerts).',
      '`[0.8, 1]`',
    ),
    strict: optional(
      flag,
      '`true` begins no call that the rest of a budget does not cover, and refuses calls at once while the store is away.',
      '`false`',
    ),
    zone: optional(
      z.string().min(1).max(64).meta(expects('the name of a time zone', 'Europe/Berlin')),
      'The time zone of days, weeks and months.',
      '`UTC`',
    ),
  })
  .meta(expects('an object with `kind` and `amount`', { kind: 'requests', amount: 100 }))

/** The schema of a list of quotas. */
export const quotasSchema = z
  .array(quotaSchema)
  .max(100)
  .meta(expects('a list of at most 100 quotas', [{ kind: 'cost', amount: 50, window: 'month' }]))

/** The schema of a team. */
export const teamSchema = z.strictObject({
  id: required(identifier, 'Identifies the team in logs, metrics and `keys[].team`.'),
  name: optional(
    z.string().min(1).max(128).meta(expects('a text of at most 128 characters', 'Research')),
    'The name that operators see.',
    'the id',
  ),
  models: optional(
    modelNames,
    'Names and patterns of the models that the keys of the team may use. A key with `models` of its own may use what both name.',
    'all that the keys may use',
  ),
  quotas: optional(
    quotasSchema,
    '[Limits](limits.md) of all keys of the team together.',
    'no limits',
  ),
})

/** The schema of `alerts`. */
export const alertsSchema = z.strictObject({
  webhook: optional(
    z
      .strictObject({
        url: required(
          z
            .string()
            .refine(isHttpUrl)
            .meta({
              ...expects(
                'an http(s) URL without credentials, query or fragment',
                'https://hooks.example.com/dragoman',
              ),
              url: true,
              pattern: '^https?://',
            }),
          'The address that alerts are posted to.',
        ),
        secret: required(
          secret,
          'Signs each alert. `env:NAME` reads it from the environment, `file:/path` from a file.',
        ),
      })
      .meta(
        expects('an object with `url` and `secret`', {
          url: 'https://hooks.example.com/dragoman',
          secret: 'env:ALERT_SECRET',
        }),
      ),
    'Posts the [alerts](limits.md#alerts) of budgets.',
    'alerts are in the log and the metrics alone',
  ),
})

/** Finds quotas that cannot be: of members that contradict each other, and two of a subject with one id. */
export function quotaProblems(path: string, subject: LimitSubject, quotas: unknown): Problem[] {
  if (!Array.isArray(quotas)) return []
  const firsts = new Map<string, number>()
  return quotas.flatMap((value: unknown, index) => {
    // A mistyped quota is a problem of its own.
    const { success, data } = quotaSchema.safeParse(value)
    if (!success) return []
    const own = `${path}[${index}]`
    const found = quotaProblem(subject, data)
    if (found) return [{ ...found, path: `${own}.${found.path}` }]
    const id = limitId(subject, data)
    const first = firsts.get(id)
    if (first === undefined) firsts.set(id, index)
    if (first === undefined) return []
    return [
      {
        path: own,
        message: `counts the same as ${path}[${first}]`,
        fix: 'keep one of them, or give it another window or other models',
      },
    ]
  })
}

/** Returns the valid teams, and adds the problems of the others to `problems`. */
export function checkTeams(list: readonly unknown[], problems: Problem[]): TeamSetting[] {
  problems.push(...repeatedIds('teams', list))
  return list.flatMap((value, index) => {
    const path = `teams[${index}]`
    const input = checkShape(teamSchema, value, path, problems)
    if (!input) return []
    problems.push(...quotaProblems(`${path}.quotas`, { type: 'team', id: input.id }, input.quotas))
    return [input]
  })
}

/** Reports each key whose team the configuration does not have. */
export function unknownTeams(keys: readonly unknown[], teams: readonly unknown[]): Problem[] {
  const known = new Set<unknown>(
    teams.map((team) => (team as { id?: unknown } | null | undefined)?.id),
  )
  return keys.flatMap((key, index) => {
    const team = (key as { team?: unknown } | null | undefined)?.team
    if (typeof team !== 'string' || known.has(team)) return []
    return [
      {
        path: `keys[${index}].team`,
        message: `"${team}" is no team of \`teams\``,
        fix: known.size > 0 ? `use one of ${[...known].join(', ')}` : 'add it to `teams`',
      },
    ]
  })
}
