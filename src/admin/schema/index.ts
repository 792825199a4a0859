import type { GraphQLSchema } from 'graphql'

import { type AdminBuilder, createBuilder } from '../builder.ts'
import { addAccounts } from './accounts.ts'
import { addAdminTokens } from './admin-tokens.ts'
import { addAliases } from './aliases.ts'
import { addAudit } from './audit.ts'
import { addKeys } from './keys.ts'
import { addFailures } from './failures.ts'
import { addModels } from './models.ts'
import { addScalars } from './scalars.ts'
import { addSessions } from './sessions.ts'
import { addViewer } from './viewer.ts'

/** The parts of the schema, in the order of the documentation. */
const parts: readonly ((builder: AdminBuilder) => void)[] = [
  addScalars,
  addFailures,
  addViewer,
  addAccounts,
  addKeys,
  addAliases,
  addModels,
  addAudit,
  addAdminTokens,
  addSessions,
]

/** Builds the admin schema. */
export function createAdminSchema(): GraphQLSchema {
  const builder = createBuilder()
  builder.queryType({ description: 'Reads.' })
  builder.mutationType({ description: 'Acts. Each has its audit record before it is answered.' })
  for (const add of parts) add(builder)
  return builder.toSchema()
}
