import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ProvidersQueryVariables = Exact<{ [key: string]: never; }>;


export type ProvidersQuery = { providers: Array<{ name: string, needsBaseUrl: boolean, fields: Array<string> }> };

export const Providers: Operation<ProvidersQuery, ProvidersQueryVariables> = { name: 'Providers', hash: '74faa312e6da188d157fc8bf53bd1bceda90e6979af3d1ea67d6be9b428d356c' }
