import { type GraphQLResolveInfo, getArgumentValues } from 'graphql'

import type { AuditTarget } from '../audit/log.ts'
import type { AdminContext } from './context.ts'
import type { DeniedAct } from './denied-acts.ts'

/** The action and the target of a field that is an act. */
export interface AuditedField {
  /** The noun and the verb: `account.disable`. */
  readonly action: string
  readonly target: (args: unknown) => AuditTarget
}

/** The record of a field that the role of a request does not permit. */
export function deniedActOf(
  { principal, address, agent, requestId }: AdminContext,
  info: GraphQLResolveInfo,
): DeniedAct {
  const { kind, id, role } = principal
  return {
    kind: 'act',
    actor: { kind, id, role },
    address,
    agent,
    requestId,
    ...actOf(info),
    message: `The role ${role} does not permit it.`,
  }
}

function actOf(info: GraphQLResolveInfo): Pick<DeniedAct, 'action' | 'target'> {
  const { parentType, fieldName, fieldNodes, variableValues } = info
  const field = parentType.getFields()[fieldName]
  const audited = field?.extensions['audit'] as AuditedField | undefined
  const other = {
    action: 'field.read',
    target: { type: 'field', id: `${parentType.name}.${fieldName}` },
  }
  if (!field || !audited || !fieldNodes[0]) return other
  try {
    const values = getArgumentValues(field, fieldNodes[0], variableValues)
    return { action: audited.action, target: audited.target(values) }
  } catch {
    return { action: audited.action, target: { type: 'unknown', id: '' } }
  }
}
