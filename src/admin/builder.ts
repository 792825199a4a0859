import SchemaBuilder from '@pothos/core'
import ComplexityPlugin, { type ComplexityErrorFn } from '@pothos/plugin-complexity'
import RelayPlugin from '@pothos/plugin-relay'
import ScopeAuthPlugin from '@pothos/plugin-scope-auth'
import { GraphQLError } from 'graphql'
// Without names, since the declarations of this file name only their global types.
import '@pothos/core'
import '@pothos/plugin-complexity'
import '@pothos/plugin-relay'
import '@pothos/plugin-scope-auth'

import type { AdminContext } from './context.ts'
import type { ActFailure, FoundProblem } from './failures.ts'
import { deniedActOf } from './denied-field.ts'
import { type Role, isAtLeast } from './roles.ts'

/** The types behind the schema. */
export interface AdminTypes {
  Context: AdminContext
  AuthScopes: Record<Role, boolean>
  Scalars: {
    ID: { Input: string; Output: string }
    /** A time in ISO 8601. As a number: milliseconds since 1970. */
    DateTime: { Input: number; Output: number }
    /** A whole number up to 2^53, which `Int` cannot hold. */
    Count: { Input: number; Output: number }
    /** A number of calls or tokens; a decimal text of USD or a factor. */
    Amount: { Input: number | string; Output: number | string }
    /** Any JSON value. */
    JSON: { Input: unknown; Output: unknown }
  }
  Objects: { [Name in ActFailure['failure']]: Extract<ActFailure, { failure: Name }> } & {
    Problem: FoundProblem
  }
  DefaultFieldNullability: false
}

/** The types behind the schema, as Pothos completes them. */
export type AdminBuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<AdminTypes>

/** The builder of the admin schema. Plugins get it to add fields and types. */
export type AdminBuilder = ReturnType<typeof createBuilder>

/** Adds fields to an input type. */
export type InputFields = Parameters<
  NonNullable<Parameters<AdminBuilder['inputType']>[1]['fields']>
>[0]

/** The largest page of a connection. */
export const largestPage = 100

/** The page of a connection that names no size. */
export const usualPage = 20

/** The most work that one operation may ask for. */
const limits = { depth: 10, breadth: 400, complexity: 2_000 }

/** Creates a builder with an empty schema. */
export function createBuilder() {
  return new SchemaBuilder<AdminTypes>({
    plugins: [ScopeAuthPlugin, RelayPlugin, ComplexityPlugin],
    defaultFieldNullability: false,
    scopeAuth: {
      authScopes: ({ principal: { role } }) => ({
        viewer: isAtLeast(role, 'viewer'),
        operator: isAtLeast(role, 'operator'),
        admin: isAtLeast(role, 'admin'),
      }),
      authorizeOnSubscribe: true,
      unauthorizedError(_parent, context, info) {
        context.deniedFields.push(deniedActOf(context, info))
        return forbidden(context.principal.role, info.fieldName)
      },
    },
    // A page may be seen by those who may see the field that it belongs to.
    relay: {
      pageInfoTypeOptions: { authScopes: { viewer: true } },
      defaultConnectionTypeOptions: { authScopes: { viewer: true } },
      defaultEdgeTypeOptions: { authScopes: { viewer: true } },
    },
    // The size of a page multiplies, see `complexityOfPage`; other lists are short. Members are cheap: a page of 50 of
    // each list may have all of them, with its bounded lists.
    complexity: {
      limit: ({ isPersisted = false }) => (isPersisted ? { depth: limits.depth } : limits),
      defaultComplexity: 0.2,
      defaultListMultiplier: 1,
      complexityError: tooLarge,
    },
  })
}

/** The error of an operation beyond the limits. The errors of Pothos have no code. */
const tooLarge: ComplexityErrorFn = (kind, { depth, breadth, complexity }) => {
  const excess = {
    Depth: `nests fields ${depth} deep, and may ${limits.depth}`,
    Breadth: `has ${breadth} fields, and may have ${limits.breadth}`,
    Complexity: `costs ${complexity}, and may cost ${limits.complexity}: ask for smaller pages or fewer acts`,
  }
  return new GraphQLError(`The operation ${excess[kind]}.`, {
    // As for faults of a document: clients that accept `application/json` alone get 200.
    extensions: { code: 'DOCUMENT_TOO_LARGE', http: { status: 400, spec: true } },
  })
}

/** The error of a field that a role does not permit. Errors of plain classes would be masked as defects. */
export function forbidden(role: Role, field: string): GraphQLError {
  return new GraphQLError(`The role ${role} does not permit \`${field}\`.`, {
    extensions: { code: 'FORBIDDEN', http: { status: 403 } },
  })
}
