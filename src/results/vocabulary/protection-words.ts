/**
 * The words of the table `protections`. See `vocabulary.ts`: words are only ever added at the end.
 */
import {
  type BumpChange,
  type ConversionReason,
  type LspChanged,
  type MmpChange,
  mmpTriggers,
  type SessionChanged,
  type SessionEnd,
  type StandingChanged,
  type StandingKind,
  sessionKinds,
} from '../../model/index.ts'
import { allOf } from './all-of.ts'

/** Vocabularies of protections by name. */
export const protectionWords = {
  protectionKind: allOf<
    'lock' | 'lsp' | 'mmp' | 'speed_bump' | 'session' | 'quote' | StandingKind
  >()(
    'lock',
    'lsp',
    'mmp',
    'speed_bump',
    'session',
    'quote',
    'portfolio_lock',
    'position_lock',
    'portfolio_margin_lock',
    'quote_freeze',
    'cancel_on_disconnect',
    'order_trim',
    'rate_limit',
    'gateway',
    'message',
    'algo_cancel_only',
    'member',
    'mmp_permission',
    'mass_quote_permission',
    'risk_limit',
    'trading_product',
  ),
  protectionChange: allOf<
    | LspChanged['change']
    | MmpChange
    | BumpChange
    | SessionChanged['change']
    | StandingChanged['change']
    | 'locked'
    | 'unlocked'
    | 'admitted'
    | 'removed'
    | 'limit_set'
    | 'refused'
  >()(
    'locked',
    'unlocked',
    'admitted',
    'removed',
    'limit_set',
    'window_opened',
    'used',
    'failed',
    'window_reset',
    'disabled',
    'configured',
    'triggered',
    'unfrozen',
    'reset',
    'queued',
    'restarted',
    'converted',
    'released',
    'withdrawn',
    'opened',
    'closed',
    'cancel_on_disconnect_on',
    'cancel_on_disconnect_off',
    'on',
    'off',
    'acted',
    'refused',
  ),
  /** Why an order behind the speed bump became immediate-or-cancel, or how a session ended. */
  protectionReason: allOf<ConversionReason | SessionEnd>()(
    'user_request',
    'mmp_trigger',
    'mmp_config_curtailment',
    'cancel_on_disconnect',
    'portfolio_locked',
    'position_locked',
    'pme_account_locked',
    'pme_risk_reduction',
    'logout',
    'disconnect',
    'inactivity',
    'heartbeat_failure',
    'displaced',
    'rate_limit',
  ),
  mmpTrigger: mmpTriggers,
  sessionKind: sessionKinds,
} as const
