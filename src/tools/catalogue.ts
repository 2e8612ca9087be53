// All tools, in the order in which clients see them.
import type { Settings } from '../config/schema.ts';
import { auditRead } from './audit-read.ts';
import { classify } from './classify.ts';
import { checkEnv, listBinaries, which } from './discover.ts';
import { run } from './run.ts';
import { sessionInterrupt, sessionRead, sessionRun, sessionSend } from './session-command.ts';
import { sessionCreate, sessionDestroy, sessionList } from './session-lifecycle.ts';
import { statusOf } from './status.ts';
import { taskPoll, taskWait, taskWrite } from './task-follow.ts';
import { taskList, taskSpawn } from './task-start.ts';
import type { Tool } from './tool.ts';

const DEFINITIONS = [
  run,
  sessionCreate,
  sessionRun,
  sessionSend,
  sessionRead,
  sessionInterrupt,
  sessionList,
  sessionDestroy,
  taskSpawn,
  taskList,
  taskPoll,
  taskWait,
  taskWrite,
  classify,
  auditRead,
  checkEnv,
  listBinaries,
  which,
];

/** The tools of a server with these settings. */
export function catalogue(settings: Settings): readonly Tool[] {
  const tools = DEFINITIONS.map((define) => define(settings));
  return [...tools, statusOf(tools.map(({ name }) => name))(settings)];
}
