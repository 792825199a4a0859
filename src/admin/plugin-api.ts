import type { InputRef, ObjectRef } from '@pothos/core'

import { type ActDefinition, type ActResult, addAct } from './act.ts'
import type { AdminBuilder, AdminTypes } from './builder.ts'
import type { AdminContext } from './context.ts'
import type { AdminServices } from './services.ts'

/** The context of a plugin's resolvers. The gateway's own resolvers have more, secrets included. */
export interface PluginContext extends Pick<
  AdminContext,
  'principal' | 'requestId' | 'address' | 'agent' | 'signal'
> {
  readonly services: Pick<AdminServices, 'log' | 'now'>
}

/** The types behind the schema, for plugins. */
export interface PluginTypes extends Omit<AdminTypes, 'Context'> {
  Context: PluginContext
}

type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<PluginTypes>

/** The builder of the admin schema, for plugins. */
export type PluginBuilder = PothosSchemaTypes.SchemaBuilder<BuilderTypes>

/** A mutation of a plugin. */
export interface PluginAct<Input extends object, Success extends object> extends Omit<
  ActDefinition<Input, Success>,
  'input' | 'success' | 'run'
> {
  readonly input: InputRef<Input>
  readonly success: ObjectRef<BuilderTypes, Success>
  readonly run: (input: Input, context: PluginContext) => Promise<ActResult<Success>>
}

/** The second argument of a plugin's `admin`, besides the builder. */
export interface PluginKit {
  /**
   * Adds a mutation with its audit record and its union of results. Mutations that are added in other ways
   * keep the gateway from starting.
   */
  readonly act: <Input extends object, Success extends object>(
    definition: PluginAct<Input, Success>,
  ) => void
}

/** The kit for a builder. */
export function kitOf(builder: AdminBuilder): PluginKit {
  return { act: (definition) => addAct(builder, definition as never) }
}
