import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** UNANSWERED: the process may have done it or not. */
export type CommandStatus =
  | 'DONE'
  | 'FAILED'
  | 'UNANSWERED';

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type ReloadConfigurationInput = {
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** Where a value comes from. A flag goes before the environment, that before the file. */
export type SettingOrigin =
  | 'DEFAULT'
  | 'ENVIRONMENT'
  | 'FILE'
  | 'FLAG'
  | 'STORE';

export type StartCaptureInput = {
  /** The account that was asked last. Absent: all. */
  accountId?: string | null | undefined;
  /** The most of each process, from 1 to 1000, by default 100. */
  exchanges?: number | null | undefined;
  keyId: string;
  /** From 1 to 60, by default 5. */
  minutes?: number | null | undefined;
  /** A platform model. Absent: all. */
  model?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StartDrainInput = {
  /** Absent: all processes on the store. */
  processId?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type StopCaptureInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type ConfigurationPageQueryVariables = Exact<{
  section?: string | null | undefined;
  skip?: number | null | undefined;
}>;


export type ConfigurationPageQuery = { configuration: { file: string | null, hash: string, loadedAt: string, needsRestart: Array<string>, settingsCount: number, problems: Array<{ path: string, message: string, fix: string }>, settings: Array<{ path: string, value: unknown, origin: SettingOrigin }> }, gateway: { version: string, processId: string, processesComplete: boolean, store: { kind: string, reachable: boolean }, processes: Array<{ id: string, host: string, pid: number, worker: number | null, version: string, ready: boolean, draining: boolean, stale: boolean, startedAt: string, inFlight: number, loopLagMs: number, configuration: { hash: string, loadedAt: string, problems: Array<{ path: string, message: string, fix: string }> } }> }, captures: Array<{ id: string, keyId: string, accountId: string | null, model: string | null, exchanges: number, startedAt: string, startedBy: string, endsAt: string }> | null };

export type ReloadConfigurationMutationVariables = Exact<{
  input: ReloadConfigurationInput;
}>;


export type ReloadConfigurationMutation = { reloadConfiguration:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'ReloadConfigurationSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null, problems: Array<{ path: string, message: string, fix: string }> }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null };

type Refusal_Invalid_Fragment = { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> };

type Refusal_ManagedByFile_Fragment = { __typename: 'ManagedByFile', fix: string, message: string };

type Refusal_NotFound_Fragment = { __typename: 'NotFound', message: string };

type Refusal_StoreUnavailable_Fragment = { __typename: 'StoreUnavailable', message: string };

export type RefusalFragment =
  | Refusal_Conflict_Fragment
  | Refusal_Invalid_Fragment
  | Refusal_ManagedByFile_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_StoreUnavailable_Fragment
;

export type StartDrainMutationVariables = Exact<{
  input: StartDrainInput;
}>;


export type StartDrainMutation = { startDrain:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartDrainSuccess', processes: Array<{ processId: string, status: CommandStatus, text: string | null }> | null }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StartCaptureMutationVariables = Exact<{
  input: StartCaptureInput;
}>;


export type StartCaptureMutation = { startCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StartCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type StopCaptureMutationVariables = Exact<{
  input: StopCaptureInput;
}>;


export type StopCaptureMutation = { stopCapture:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StopCaptureSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const ConfigurationPage: Operation<ConfigurationPageQuery, ConfigurationPageQueryVariables> = { name: 'ConfigurationPage', hash: '26b6e05a97ef7c27a9e569811b603c07aa5e45d28e636a5327610979a5d88725' }

export const ReloadConfiguration: Operation<ReloadConfigurationMutation, ReloadConfigurationMutationVariables> = { name: 'ReloadConfiguration', hash: 'dce8e905345f623ca2bc23a7b7016bee94ac227fd21c90b85492271d0535df6f' }

export const StartDrain: Operation<StartDrainMutation, StartDrainMutationVariables> = { name: 'StartDrain', hash: '64ae4a0d7ab2046b2b7d8c09cda72e6eb6af4536fc6fe5c9327b0329477a6375' }

export const StartCapture: Operation<StartCaptureMutation, StartCaptureMutationVariables> = { name: 'StartCapture', hash: '8d7c063084c3045beecef8e636e26146ef11a21ce64fbb88f15664976d302bbc' }

export const StopCapture: Operation<StopCaptureMutation, StopCaptureMutationVariables> = { name: 'StopCapture', hash: 'b2ca1d73337edb7552a27e5615aaa7045a76228971acce13f9b9c3123bb03d76' }
