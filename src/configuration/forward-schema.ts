import { z } from 'zod'

import { isRefusedHeader, isRefusedParameter } from '../exchange/refused-names.ts'
import { expects, withDefault } from './schema-nodes.ts'

/** A beginning shorter than this would name the headers of everything. */
const shortestBeginning = 3

const header = z
  .string()
  .regex(/^[\w!#$%&'+.^`|~-]+\*?$/)
  .refine((name) => {
    const lower = name.toLowerCase()
    if (!lower.endsWith('*')) return !isRefusedHeader(lower)
    const beginning = lower.slice(0, -1)
    return beginning.length >= shortestBeginning && !isRefusedHeader(beginning.replace(/[-_]$/, ''))
  })
  .meta(
    expects(
      "the name of a header, or its beginning and a star, but not of a credential, the connection, the host, the client's address, a part of a reply, or one that the gateway sets",
      'x-acme-*',
    ),
  )

const parameter = z
  .string()
  .regex(/^[\w.$-]+$/)
  .refine((name) => !isRefusedParameter(name))
  .meta(
    expects(
      'the name of a query parameter, but not of a credential or of the form of the reply',
      'api-version',
    ),
  )

/** The schema of `accounts[].forward`. */
export const forwardSchema = z.strictObject({
  headers: withDefault(
    z.array(header).meta(expects('a list of names of headers', ['x-acme-*'])),
    'Headers, by name or by beginning (`x-acme-*`). A beginning never stands for a credential or an organisation.',
    [],
  ),
  query: withDefault(
    z.array(parameter).meta(expects('a list of names of query parameters', ['api-version'])),
    'Query parameters, by name.',
    [],
  ),
})
