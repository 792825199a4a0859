import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ClientAddressQueryVariables = Exact<{ [key: string]: never; }>;


export type ClientAddressQuery = { configuration: { listen: Array<{ path: string, value: unknown }>, publicUrl: Array<{ path: string, value: unknown }> } };

export const ClientAddress: Operation<ClientAddressQuery, ClientAddressQueryVariables> = { name: 'ClientAddress', hash: 'f97877d205db3e525597d1d82c05a9d3919692d14942e1e9135aab7aba4a5712' }
