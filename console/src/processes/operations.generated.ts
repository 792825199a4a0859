import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type InForceQueryVariables = Exact<{ [key: string]: never; }>;


export type InForceQuery = { gateway: { processes: Array<{ id: string, host: string, pid: number, worker: number | null }>, changesInForce: { processIds: Array<string>, missingIds: Array<string> } } };

export const InForce: Operation<InForceQuery, InForceQueryVariables> = { name: 'InForce', hash: 'bf7cc0b4b96d02a8e8607e8b0c4396c367b01fd960554840515f2ddbefafdfc4' }
