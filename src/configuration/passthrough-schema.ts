import { z } from 'zod'

import { type PassthroughRoute, passthroughMethods } from '../contract/passthrough.ts'
import type { Problem } from '../contract/problems.ts'
import { expects, identifier, optional, required, withDefault } from './schema-nodes.ts'

/** Segments of letters, digits and `._~-`, none of which is a dot segment, and `/*` at the end. */
const pathPattern = String.raw`^(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+(/\*)?$`

const accountId = z
  .string()
  .min(1)
  .meta({ ...expects('the id of an account', 'openai'), minLength: 1 })

const routeSchema = z
  .strictObject({
    path: required(
      z
        .string()
        .regex(new RegExp(pathPattern))
        .meta(
          expects(
            'a path of letters, digits and ._~-, with `/*` at its end for all paths below it',
            '/v1/vector_stores/*',
          ),
        ),
      'The path of requests that pass. With `/*` at its end it has all paths below it, too. A path that a dialect has is served by the dialect.',
    ),
    account: optional(
      accountId,
      'Id of the account that gets the requests. Either it or `pool` is required.',
      'one of `pool`',
    ),
    pool: optional(
      z
        .array(accountId)
        .min(1)
        .meta(expects('a list of ids of accounts', ['openai-1', 'openai-2'])),
      'Ids of accounts: each request goes to one of them, by priority and weight, and to the next one if it fails.',
      '`account` alone',
    ),
    methods: withDefault(
      z
        .array(z.enum(passthroughMethods).meta(expects('a method', 'GET')))
        .min(1)
        .meta(expects(`a list of ${passthroughMethods.join(', ')}`, ['GET', 'POST'])),
      'Methods of requests that pass. HEAD passes with GET.',
      [...passthroughMethods],
    ),
    keys: optional(
      z
        .array(identifier)
        .min(1)
        .meta(expects('a list of ids of keys', ['team-a'])),
      'Ids of the keys that may use the path, also of those whose `models` bind them.',
      'all keys that may use every model',
    ),
  })
  .meta(
    expects('an object with `path` and `account`', {
      path: '/v1/vector_stores/*',
      account: 'openai',
    }),
  )

/** The schema of `passthrough`. `passthroughProblems` checks what concerns several members. */
export const passthroughSchema = z
  .array(routeSchema)
  .max(100)
  .meta(
    expects('a list of at most 100 paths with their accounts', [
      { path: '/v1/vector_stores/*', account: 'openai' },
    ]),
  )

/** Reports routes without an account or with two, and routes that an earlier one hides. */
export function passthroughProblems(routes: readonly PassthroughRoute[]): Problem[] {
  return routes.flatMap(({ path, account, pool, methods }, index): Problem[] => {
    const at = `passthrough[${index}]`
    if ((account === undefined) === (pool === undefined)) {
      const message = account === undefined ? 'names no account' : 'is there beside account'
      const fix = 'name either account or pool'
      return [{ path: account === undefined ? at : `${at}.pool`, message, fix }]
    }
    const first = routes.findIndex(
      (one) => placeOf(one.path) === placeOf(path) && one.methods.some((m) => methods.includes(m)),
    )
    if (first === index) return []
    return [
      {
        path: `${at}.path`,
        message: `is also the path of passthrough[${first}], with the same method`,
        fix: 'keep one of them, or divide the methods',
      },
    ]
  })
}

function placeOf(path: string): string {
  return path.replace(/\/\*$/, '')
}
