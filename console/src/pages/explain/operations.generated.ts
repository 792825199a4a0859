import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ExplainHeader = {
  name: string;
  value: string;
};

export type ExplainInput = {
  /** The body, or its exact JSON text. Absent: the least one of the dialect. */
  body?: unknown;
  /** The client's: responses, chat, messages; `explainable` has all. */
  dialect: string;
  /** Headers of the client, at most 32. */
  headers?: Array<ExplainHeader> | null | undefined;
  /** The `{id}` of the operation's path. */
  id?: string | null | undefined;
  /** Whose request it would be. */
  keyId: string;
  model?: string | null | undefined;
  /** An operation of the dialect: messages.count_tokens. Absent: that which creates. */
  operation?: string | null | undefined;
  previousResponseId?: string | null | undefined;
};

export type ExplainQueryVariables = Exact<{
  input: ExplainInput;
}>;


export type ExplainQuery = { explain: { operation: string | null, resolvedModel: string | null, rule: string | null, pinned: boolean, moves: boolean, processId: string, candidatesOmitted: number, excludedOmitted: number, chosen: { accountId: string } | null, candidates: Array<{ accountId: string, chance: number, priority: number, weight: number, rank: number, why: string | null, dialect: string, native: boolean, upstreamModel: string | null, elsewhere: Array<{ processId: string | null, reason: string, until: string | null }> }>, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }>, fallbacks: Array<{ model: string, next: string, error: string }>, answer: { status: number, code: string | null, message: string | null, body: unknown } | null } };

export type ExplainNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type ExplainNamesQuery = { keys: { edges: Array<{ node: { id: string } }> } | null, models: { edges: Array<{ node: { name: string } }> }, explainable: Array<{ dialect: string, operation: string, summary: string, isUsual: boolean, needsId: boolean }> };

export type CallToExplainQueryVariables = Exact<{
  id: string;
}>;


export type CallToExplainQuery = { exchange: { live: { model: string | null, dialect: string | null, operation: string | null, keyId: string | null } | null, ended: { model: string | null, dialect: string | null, operation: string | null, keyId: string | null } | null } | null };

export const Explain: Operation<ExplainQuery, ExplainQueryVariables> = { name: 'Explain', hash: 'c65e060368fc349ad64a8e283706eb7af560eed785c50380dc9e4a1620110d88' }

export const ExplainNames: Operation<ExplainNamesQuery, ExplainNamesQueryVariables> = { name: 'ExplainNames', hash: 'f1da4cff0781ea948ac9142e996f4d5f7b97d7a446d3a3f59f4e7abb15af6c75' }

export const CallToExplain: Operation<CallToExplainQuery, CallToExplainQueryVariables> = { name: 'CallToExplain', hash: 'ea409633f071f24bd0b88036edd6c3d9cf57985cab7f712aa63fbc3f9dc5881c' }
