/** The running MCP servers of a world. They are connections, so they are not part of a snapshot. */
import type { LiveServer } from './live-server.ts';

export interface McpServers {
  /**
   * The server of a function or sandbox, created on first use.
   * `uuid` is the resource's: if the resource was created again, it gets a new server and the old sessions end.
   */
  open(key: string, uuid: string, make: () => LiveServer): LiveServer;
  /** Ends the sessions and streams of a deleted function or sandbox. */
  end(key: string): void;
  /** Ends all sessions and streams when the world is reset or closed. */
  close(): Promise<void>;
  /** Number of sessions of all servers. */
  sessions(): number;
}

export function createMcpServers(): McpServers {
  const servers = new Map<string, { readonly uuid: string; readonly live: LiveServer }>();
  return {
    open: (key, uuid, make) => {
      const found = servers.get(key);
      if (found?.uuid === uuid) return found.live;
      void found?.live.close();
      const live = make();
      servers.set(key, { uuid, live });
      return live;
    },
    end: (key) => {
      void servers.get(key)?.live.close();
      servers.delete(key);
    },
    close: async () => {
      const open = [...servers.values()];
      servers.clear();
      await Promise.all(open.map(({ live }) => live.close()));
    },
    sessions: () => servers.values().reduce((sum, { live }) => sum + live.sessions(), 0),
  };
}
