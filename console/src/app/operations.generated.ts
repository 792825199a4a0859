import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type PaletteQueryVariables = Exact<{ [key: string]: never; }>;


export type PaletteQuery = { accounts: { edges: Array<{ node: { id: string } }>, pageInfo: { hasNextPage: boolean } }, keys: { edges: Array<{ node: { id: string } }>, pageInfo: { hasNextPage: boolean } } | null, models: { edges: Array<{ node: { name: string } }>, pageInfo: { hasNextPage: boolean } } };

export const Palette: Operation<PaletteQuery, PaletteQueryVariables> = { name: 'Palette', hash: 'fcb1550ca5b8999fc2336ad5b5a1be96a968abf11c8b8dc7605313915dc4c788' }
