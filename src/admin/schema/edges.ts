import type { GraphQLResolveInfo } from 'graphql'

import { findAccount } from '../accounts/find.ts'
import type { AdminBuilderTypes } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { noteMissingProcesses, noteStale } from '../incomplete.ts'
import { loadKey } from '../load-key.ts'
import { findModel } from '../models.ts'

/** The id or the name of a thing that an object has. Absent, null and empty: it has none. */
type NameIn<Parent> = (parent: Parent) => string | null | undefined

/** What an object names. */
interface NamesIn<Parent> {
  readonly account?: NameIn<Parent>
  readonly key?: NameIn<Parent>
  /** The name of a platform model. */
  readonly model?: NameIn<Parent>
}

type Fields<Parent> = Pick<PothosSchemaTypes.ObjectFieldBuilder<AdminBuilderTypes, Parent>, 'field'>

type Info = Pick<GraphQLResolveInfo, 'path'>

/**
 * The fields that lead from an object to the account, the key and the platform model that it names. Accounts and models
 * are found in memory, the keys of a page by one read.
 */
export function edgesOf<Parent>(
  t: Fields<Parent>,
  { account, key, model }: NamesIn<Parent>,
): Record<string, ReturnType<Fields<Parent>['field']>> {
  function edge(
    type: string,
    description: string,
    nameIn: NameIn<Parent>,
    find: (context: AdminContext, name: string, info: Info) => unknown,
  ) {
    return t.field({
      // The types of these nouns belong to other files.
      type: type as never,
      nullable: true,
      description,
      complexity: { field: 1, multiplier: 1 },
      resolve: (parent: Parent, _args: unknown, context: AdminContext, info: Info) => {
        const name = nameIn(parent)
        return (name ? find(context, name, info) : null) as never
      },
    } as never)
  }
  return {
    ...(account && { account: edge('Account', noAccount, account, accountAt) }),
    ...(key && { key: edge('Key', noKey, key, loadKey) }),
    ...(model && { platformModel: edge('Model', noModel, model, modelAt) }),
  }
}

const noAccount = 'Null: there is none, or it is deleted.'
const noKey = 'Null: there is none, or neither the configuration nor the store has it.'
const noModel =
  'The model of the name, after aliases. Null: there is no name, or no account has the model.'

function accountAt(context: AdminContext, id: string, info: Info): unknown {
  const { services } = context
  const found = findAccount(services, id)
  if (!found && services.running.storedAccounts.isStale) noteStale(context, info)
  return found
}

async function modelAt(context: AdminContext, name: string, info: Info): Promise<unknown> {
  const { services } = context
  const { missing } = await services.processes.cluster()
  noteMissingProcesses(context, info, missing)
  const found = await findModel(services, name)
  if (!found && services.running.storedAccounts.isStale) noteStale(context, info)
  return found
}
