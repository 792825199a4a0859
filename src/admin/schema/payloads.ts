import type { FieldRef, ObjectRef } from '@pothos/core'

import type { AdminBuilder, AdminBuilderTypes } from '../builder.ts'

/** Adds the object of an act that answers with the record after it, as the member `name`. */
export function addRecordPayload<Name extends string, View extends object>(
  builder: AdminBuilder,
  payload: `${string}Success`,
  name: Name,
  type: ObjectRef<AdminBuilderTypes, View>,
) {
  return builder.objectRef<Record<Name, View>>(payload).implement({
    authScopes: { viewer: true },
    fields: (t) => ({
      [name]: t.field({ type, nullable: true, resolve: (one) => one[name] as never }),
    }),
  })
}

/** Adds the object of an act that answers with the id of the record that it has removed or ended. */
export function addIdPayload(builder: AdminBuilder, payload: `${string}Success`) {
  return builder.objectRef<{ readonly id: string }>(payload).implement({
    authScopes: { viewer: true },
    fields: (t) => ({ id: t.exposeID('id') }),
  })
}

/** A record that the configuration file or the store has. */
interface Versioned {
  readonly version?: number
  readonly changedAt?: number
  readonly changedBy?: string
}

/** The fields of the version of a record. */
export function versionFields<View extends Versioned>(
  t: PothosSchemaTypes.ObjectFieldBuilder<AdminBuilderTypes, View>,
): Record<'version' | 'changedAt' | 'changedBy', FieldRef<AdminBuilderTypes, unknown, 'Object'>> {
  return {
    version: t.int({
      nullable: true,
      description: 'For expectedVersion. null: the store does not have it.',
      resolve: (one) => one.version,
    }),
    changedAt: t.field({ type: 'DateTime', nullable: true, resolve: (one) => one.changedAt }),
    changedBy: t.string({
      nullable: true,
      description: 'The kind and the id of an actor, such as token:ops.',
      resolve: (one) => one.changedBy,
    }),
  }
}
